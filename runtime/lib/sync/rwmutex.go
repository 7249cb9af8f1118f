// SPDX-License-Identifier: MIT

package sync

import (
	"internal/sema"
	"sync/atomic"
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

// RLock locks rw for reading.
func (rw *RWMutex) RLock() {
	if atomic.AddInt32(&rw.readers, 1) < 0 {
		sema.Acquire(&rw.readerSem, false, sema.RWMutexRLock)
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
			return true
		}
	}
}

// RUnlock undoes one RLock; it is a fatal error if there was none.
func (rw *RWMutex) RUnlock() {
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
	rw.w.Lock()
	n := atomic.AddInt32(&rw.readers, -maxReaders) + maxReaders
	if n != 0 && atomic.AddInt32(&rw.departing, n) != 0 {
		sema.Acquire(&rw.writerSem, false, sema.RWMutexLock)
	}
}

// TryLock locks rw for writing if it can at once and reports whether it did.
func (rw *RWMutex) TryLock() bool {
	if !rw.w.TryLock() {
		return false
	}
	if !atomic.CompareAndSwapInt32(&rw.readers, 0, -maxReaders) {
		rw.w.Unlock()
		return false
	}
	return true
}

// Unlock undoes Lock; it is a fatal error if rw is not locked for writing.
func (rw *RWMutex) Unlock() {
	n := atomic.AddInt32(&rw.readers, maxReaders)
	if n >= maxReaders {
		sema.Fatal("sync: Unlock of unlocked RWMutex")
	}
	for ; n > 0; n-- {
		sema.Release(&rw.readerSem, false, 0)
	}
	rw.w.Unlock()
}

// RLocker returns a Locker whose methods are rw.RLock and rw.RUnlock.
func (rw *RWMutex) RLocker() Locker { return (*rlocker)(rw) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }
