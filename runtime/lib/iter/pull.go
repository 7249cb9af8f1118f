// SPDX-License-Identifier: MIT

package iter

import (
	"internal/race"
	"internal/sema"
	"runtime"
	"unsafe"
)

// A puller runs an iterator in a goroutine of its own. Only one of the two
// sides runs at a time: each hands over to the other and waits until it is
// its turn again.
type puller struct {
	back     uint32 // semaphore of the iterator, which waits here at first
	forth    uint32 // semaphore of the caller
	running  bool   // the iterator has the turn
	stopping bool   // yield is to return false
	yielding bool   // the turn came back by a value
	done     bool   // the iterator has returned, or will not start
	panicked bool
	cause    any  // of the panic
	exited   bool // the iterator called runtime.Goexit
}

// newPuller makes a goroutine for run, which starts with the first turn.
func newPuller(run func()) *puller {
	p := new(puller)
	go p.iterate(run)
	return p
}

// wake gives the turn to the side that waits at the semaphore; wait waits for
// it. What one side did comes before what the other does with its turn. Who has
// woken the other waits at once, which is what lets that one run: if it went
// first by a handoff, there would be two to run meanwhile, and another P would
// come to steal one of them, which takes three times as long.
func (p *puller) wake(to *uint32) {
	if race.Enabled {
		race.Release(unsafe.Pointer(p))
	}
	sema.Release(to, false, 0)
}

func (p *puller) wait(at *uint32) {
	sema.AcquireIn(at, sema.Semacquire)
	if race.Enabled {
		race.Acquire(unsafe.Pointer(p))
	}
}

// yield hands a value over, and is false when no more are wanted.
func (p *puller) yield() bool {
	if p.done {
		return false
	}
	if !p.running {
		panic("iter.Pull: yield called again before next")
	}
	p.yielding = true
	p.running = false
	p.wake(&p.forth)
	p.wait(&p.back)
	return !p.stopping
}

// turn lets the iterator run until it hands over or ends.
func (p *puller) turn() {
	p.running = true
	p.yielding = false
	p.wake(&p.back)
	p.wait(&p.forth)
	p.running = false
	switch {
	case p.panicked:
		p.panicked = false
		panic(p.cause)
	case p.exited:
		p.exited = false
		runtime.Goexit()
	}
}

func (p *puller) iterate(run func()) {
	returned := false
	defer func() {
		p.done = true
		if !returned {
			p.cause = recover()
			p.panicked = p.cause != nil
			p.exited = p.cause == nil
		}
		p.wake(&p.forth)
	}()
	p.wait(&p.back)
	if !p.stopping {
		run()
	}
	returned = true
}

// resume asks for the next value; false where there is none.
func (p *puller) resume() bool {
	if p.running {
		panic("iter.Pull: next called again before yield")
	}
	if p.done {
		return false
	}
	p.turn()
	return p.yielding
}

func (p *puller) stop() {
	if p.running {
		panic("iter.Pull: stop called again before yield")
	}
	if p.done {
		return
	}
	p.stopping = true
	p.turn()
}
