// SPDX-License-Identifier: MIT

package iter

import (
	"internal/sema"
	"runtime"
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
	sema.Release(&p.forth, true, 0)
	sema.Acquire(&p.back, false, sema.Semacquire)
	return !p.stopping
}

// turn lets the iterator run until it hands over or ends.
func (p *puller) turn() {
	p.running = true
	p.yielding = false
	sema.Release(&p.back, true, 0)
	sema.Acquire(&p.forth, false, sema.Semacquire)
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
		sema.Release(&p.forth, false, 0)
	}()
	sema.Acquire(&p.back, false, sema.Semacquire)
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
