// SPDX-License-Identifier: MIT

// Package sync has locks and other means to wait for goroutines.
//
//race:off
package sync

import (
	"internal/race"
	"internal/sema"
	"sync/atomic"
	"unsafe"
)

// A Locker can be locked and unlocked.
type Locker interface {
	Lock()
	Unlock()
}

// noCopy is what vet's copylocks check looks for.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// A Mutex is a mutual exclusion lock; the zero value is unlocked.
//
// Its state is three flags and the number of waiters. Normally an unlocked
// mutex goes to whoever comes first, and a goroutine that is woken competes
// with those that just arrive. A waiter that has failed for 1 ms switches the
// mutex to starvation: then Unlock hands it to the first waiter, and new
// goroutines queue up without trying. The last waiter, or one that waited
// less than 1 ms, switches back.
type Mutex struct {
	state int32
	sema  uint32
}

const (
	mutexLocked   = 1 << iota
	mutexWoken    // a goroutine is awake and will try: Unlock need not wake one
	mutexStarving // Unlock hands over
	mutexShift    = iota

	starvationNs = 1e6
)

// lock takes what is free, whether somebody waits or not, if nobody else does
// something to it at that moment. unlock returns the new state, 0 if nothing
// is left to do.
//
//race:inner
func lock(state *int32) bool

//race:inner
func unlock(state *int32) int32

// Lock locks m, when it is unlocked.
func (m *Mutex) Lock() {
	if !lock(&m.state) {
		m.lockSlow()
	}
	if race.Enabled {
		race.Locked(unsafe.Pointer(m))
	}
}

// TryLock locks m if it is unlocked and reports whether it did.
func (m *Mutex) TryLock() bool {
	old := atomic.LoadInt32(&m.state)
	if old&(mutexLocked|mutexStarving) != 0 {
		return false
	}
	ok := atomic.CompareAndSwapInt32(&m.state, old, old|mutexLocked)
	if race.Enabled && ok {
		race.Locked(unsafe.Pointer(m))
	}
	return ok
}

func (m *Mutex) lockSlow() {
	var since int64 // first failure
	starving := false
	awake := false // mutexWoken is ours
	iter := 0
	old := atomic.LoadInt32(&m.state)
	for {
		if old&(mutexLocked|mutexStarving) == mutexLocked && sema.Spin(iter) {
			if !awake && old&mutexWoken == 0 && old>>mutexShift != 0 &&
				atomic.CompareAndSwapInt32(&m.state, old, old|mutexWoken) {
				awake = true
			}
			iter++
			old = atomic.LoadInt32(&m.state)
			continue
		}
		next := old
		if old&mutexStarving == 0 {
			next |= mutexLocked
		}
		if old&(mutexLocked|mutexStarving) != 0 {
			next += 1 << mutexShift
		}
		if starving && old&mutexLocked != 0 {
			next |= mutexStarving
		}
		if awake {
			if next&mutexWoken == 0 {
				sema.Fatal("sync: inconsistent mutex state")
			}
			next &^= mutexWoken
		}
		if !atomic.CompareAndSwapInt32(&m.state, old, next) {
			old = atomic.LoadInt32(&m.state)
			continue
		}
		if old&(mutexLocked|mutexStarving) == 0 {
			return
		}
		again := since != 0
		if !again {
			since = sema.Nanotime()
		}
		sema.Acquire(&m.sema, again, sema.MutexLock)
		starving = starving || sema.Nanotime()-since > starvationNs
		old = atomic.LoadInt32(&m.state)
		if old&mutexStarving != 0 {
			// Handed over to us: locked for us, still counted as waiter.
			if old&(mutexLocked|mutexWoken) != 0 || old>>mutexShift == 0 {
				sema.Fatal("sync: inconsistent mutex state")
			}
			delta := int32(mutexLocked - 1<<mutexShift)
			if !starving || old>>mutexShift == 1 {
				delta -= mutexStarving
			}
			atomic.AddInt32(&m.state, delta)
			return
		}
		awake = true
		iter = 0
	}
}

// Unlock unlocks m; it is a fatal error if m is not locked.
func (m *Mutex) Unlock() {
	if race.Enabled {
		race.Unlocking(unsafe.Pointer(m))
	}
	// Where a goroutine is awake already, there is nobody to wake; the flag of
	// one that was unlocked is lost by that, so that unlockSlow sees it.
	s := unlock(&m.state)
	if s != 0 && s&(mutexWoken|mutexStarving) != mutexWoken {
		m.unlockSlow(s)
	}
}

func (m *Mutex) unlockSlow(state int32) {
	if (state+mutexLocked)&mutexLocked == 0 {
		sema.Fatal("sync: unlock of unlocked mutex")
	}
	if state&mutexStarving != 0 {
		sema.Release(&m.sema, true, 1)
		return
	}
	for {
		// Nobody to wake, or somebody is at it already.
		if state>>mutexShift == 0 ||
			state&(mutexLocked|mutexWoken|mutexStarving) != 0 {
			return
		}
		next := state - 1<<mutexShift | mutexWoken
		if atomic.CompareAndSwapInt32(&m.state, state, next) {
			sema.Release(&m.sema, false, 1)
			return
		}
		state = atomic.LoadInt32(&m.state)
	}
}
