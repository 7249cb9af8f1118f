// SPDX-License-Identifier: MIT

package sync

import (
	"internal/race"
	"internal/sema"
	"sync/atomic"
	"unsafe"
)

// A WaitGroup waits for a number of goroutines to finish.
type WaitGroup struct {
	noCopy noCopy
	// The high half is the counter, the low half the number of waiters.
	state  uint64
	sema   uint32
	bubble uint32 // the one of testing/synctest that it belongs to; or 0
}

// What waitAdd finds.
const (
	addDone     = iota // nothing to do
	addNegative        // the counter is negative
	addMisuse          // Add from 0 while there are waiters
	addWake            // the counter is 0 and there are waiters
	addMixed           // nothing is added: others are not in this bubble
	addOther           // likewise: it belongs to another bubble
)

// What waitEnter finds.
const (
	waitNot = iota // the counter is 0
	waitDo         // the caller counts as a waiter
	waitIn         // the same, and only its bubble can end the wait

	waitFirst = 4 // besides: nobody waited before
)

// waitAdd adds delta to the counter.
//
//race:inner
func waitAdd(wg *WaitGroup, delta int) int

// waitEnter counts the caller as a waiter, unless the counter is 0.
//
//race:inner
func waitEnter(wg *WaitGroup) int

// What the race detector is told: Done releases into the group, and Wait
// acquires that. An Add from 0 must not be concurrent with a Wait: it reads
// what the first waiter writes, and what a Wait that has nothing to wait for
// touches.

func (wg *WaitGroup) raceAdd(delta int) {
	if delta < 0 {
		race.ReleaseMerge(unsafe.Pointer(wg))
	} else if delta > 0 && atomic.LoadUint64(&wg.state)>>32 == 0 {
		race.Read(unsafe.Pointer(&wg.sema))
		race.Read(unsafe.Pointer(&wg.state))
	}
}

// Add adds delta to the counter; at 0 the waiters are released.
func (wg *WaitGroup) Add(delta int) {
	if race.Enabled {
		wg.raceAdd(delta)
	}
	if s := waitAdd(wg, delta); s != addDone {
		wg.finish(s)
	}
}

// Done takes one from the counter.
func (wg *WaitGroup) Done() {
	if race.Enabled {
		wg.raceAdd(-1)
	}
	if s := waitAdd(wg, -1); s != addDone {
		wg.finish(s)
	}
}

func (wg *WaitGroup) finish(s int) {
	switch s {
	case addNegative:
		panic("sync: negative WaitGroup counter")
	case addMisuse:
		panic("sync: WaitGroup misuse: Add called concurrently with Wait")
	case addMixed:
		sema.Fatal("sync: WaitGroup.Add called from inside and outside synctest bubble")
	case addOther:
		sema.Fatal("sync: WaitGroup.Add called from multiple synctest bubbles")
	}
	// The counter is 0 and there are waiters: nobody may change the state
	// now, since an Add must not run concurrently with Wait then.
	state := atomic.LoadUint64(&wg.state)
	if state>>32 != 0 {
		panic("sync: WaitGroup misuse: Add called concurrently with Wait")
	}
	atomic.StoreUint64(&wg.state, 0)
	atomic.StoreUint32(&wg.bubble, 0)
	for n := uint32(state); n != 0; n-- {
		sema.Release(&wg.sema, false, 0)
	}
}

// Wait waits until the counter is 0.
func (wg *WaitGroup) Wait() {
	how := waitEnter(wg)
	if how == waitNot {
		if race.Enabled {
			race.Acquire(unsafe.Pointer(wg))
			race.Touch(unsafe.Pointer(&wg.state))
		}
		return
	}
	// Who is the first is told by the step that counts it: of two that come at
	// once only one is.
	if race.Enabled && how&waitFirst != 0 {
		race.Write(unsafe.Pointer(&wg.sema))
	}
	if how&^waitFirst == waitIn {
		sema.AcquireIn(&wg.sema, sema.WaitGroup)
	} else {
		sema.Acquire(&wg.sema, false, sema.WaitGroup)
	}
	if race.Enabled {
		race.Acquire(unsafe.Pointer(wg))
	}
	if atomic.LoadUint64(&wg.state) != 0 {
		panic("sync: WaitGroup is reused before previous Wait has returned")
	}
}

// Go calls f in a new goroutine that wg waits for; f must not panic.
func (wg *WaitGroup) Go(f func()) {
	wg.Add(1)
	go func() {
		done := false
		defer func() {
			// While f panics the counter stays, so that the program dies of
			// the panic before Wait returns. Goexit counts as done.
			if !done {
				if x := recover(); x != nil {
					panic(x)
				}
			}
			wg.Done()
		}()
		f()
		done = true
	}()
}
