// SPDX-License-Identifier: MIT

package sync

import (
	"internal/race"
	"internal/sema"
	"sync/atomic"
	"unsafe"
)

// maxReaders is what a writer subtracts from the number of readers to make
// it negative.
const maxReaders = 1 << 30

// An RWMutex is a lock that is held by any number of readers or by one
// writer; the zero value is unlocked. A waiting writer keeps new readers
// out.
type RWMutex struct {
	w         Mutex  // held by the writer, to exclude others
	writerSem uint32 // the writer waits here for the readers before it
	readerSem uint32 // readers wait here for the writer
	readers   int32  // holding or waiting; less maxReaders while a writer is there
	departing int32  // readers that the writer waits for
}

// What the race detector is told: a writer releases into readerSem, which
// those that come after it acquire; readers into writerSem, which writers
// acquire besides. The order that w makes means nothing.

func (rw *RWMutex) raceRLocked() {
	race.Acquire(unsafe.Pointer(&rw.readerSem))
	race.Touch(unsafe.Pointer(&rw.w))
}

func (rw *RWMutex) raceLocked() {
	race.Acquire(unsafe.Pointer(&rw.readerSem))
	race.Acquire(unsafe.Pointer(&rw.writerSem))
}

// RLock locks rw for reading.
func (rw *RWMutex) RLock() {
	if atomic.AddInt32(&rw.readers, 1) < 0 {
		sema.Acquire(&rw.readerSem, false, sema.RWMutexRLock)
	}
	if race.Enabled {
		rw.raceRLocked()
	}
}

// TryRLock locks rw for reading if it can at once and reports whether it did.
func (rw *RWMutex) TryRLock() bool {
	for {
		n := atomic.LoadInt32(&rw.readers)
		if n < 0 {
			return false
		}
		if atomic.CompareAndSwapInt32(&rw.readers, n, n+1) {
			if race.Enabled {
				rw.raceRLocked()
			}
			return true
		}
	}
}

// RUnlock undoes one RLock; it is a fatal error if there was none.
func (rw *RWMutex) RUnlock() {
	if race.Enabled {
		race.Touch(unsafe.Pointer(&rw.w))
		race.ReleaseMerge(unsafe.Pointer(&rw.writerSem))
	}
	n := atomic.AddInt32(&rw.readers, -1)
	if n >= 0 {
		return
	}
	if n+1 == 0 || n+1 == -maxReaders {
		sema.Fatal("sync: RUnlock of unlocked RWMutex")
	}
	if atomic.AddInt32(&rw.departing, -1) == 0 {
		sema.Release(&rw.writerSem, false, 0)
	}
}

// Lock locks rw for writing.
func (rw *RWMutex) Lock() {
	if race.Enabled {
		_ = rw.readers // panics before the race detector is disabled
		race.Disable()
	}
	rw.w.Lock()
	n := atomic.AddInt32(&rw.readers, -maxReaders) + maxReaders
	if n != 0 && atomic.AddInt32(&rw.departing, n) != 0 {
		sema.Acquire(&rw.writerSem, false, sema.RWMutexLock)
	}
	if race.Enabled {
		race.Enable()
		rw.raceLocked()
	}
}

// TryLock locks rw for writing if it can at once and reports whether it did.
func (rw *RWMutex) TryLock() bool {
	if race.Enabled {
		_ = rw.readers // as in Lock
		race.Disable()
	}
	ok := rw.w.TryLock()
	if ok && !atomic.CompareAndSwapInt32(&rw.readers, 0, -maxReaders) {
		rw.w.Unlock()
		ok = false
	}
	if race.Enabled {
		race.Enable()
		if ok {
			rw.raceLocked()
		}
	}
	return ok
}

// Unlock undoes Lock; it is a fatal error if rw is not locked for writing.
func (rw *RWMutex) Unlock() {
	if race.Enabled {
		race.Release(unsafe.Pointer(&rw.readerSem))
		race.Disable()
	}
	n := atomic.AddInt32(&rw.readers, maxReaders)
	if n >= maxReaders {
		sema.Fatal("sync: Unlock of unlocked RWMutex")
	}
	for ; n > 0; n-- {
		sema.Release(&rw.readerSem, false, 0)
	}
	rw.w.Unlock()
	if race.Enabled {
		race.Enable()
	}
}

// RLocker returns a Locker whose methods are rw.RLock and rw.RUnlock.
func (rw *RWMutex) RLocker() Locker { return (*rlocker)(rw) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }
