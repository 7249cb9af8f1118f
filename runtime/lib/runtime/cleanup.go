// SPDX-License-Identifier: MIT

package runtime

import "unsafe"

// A Cleanup is a cleanup that AddCleanup has attached.
type Cleanup struct {
	id  uint64
	ptr uintptr
}

// A cleanup keeps what is needed to call fn(arg).
type cleanup struct {
	fn, arg any
}

// What attachCleanup says.
const (
	cleanOK = iota
	cleanNever
	cleanNotHeap
	cleanInArg
	cleanCloses
)

// attachCleanup registers c for when ptr is unreachable, detachCleanup takes
// it away again.
//
//race:inner
func attachCleanup(ptr unsafe.Pointer, c *cleanup) (id uint64, what int)

//race:none
func detachCleanup(ptr uintptr, id uint64)

// takesPointer reports whether the parameter of the func is a pointer.
//
//race:none
func takesPointer(fn any) bool

// nextCleanup hands out a cleanup that is due.
//
//race:none
func nextCleanup() *cleanup

// spawn calls fn(arg) in a goroutine of its own.
//
//race:orders
func spawn(fn, arg any)

var cleanupSema uint32 // the collector adds to it by name
var cleanupStarted uint32

// AddCleanup arranges for cleanup(arg) to be called in a goroutine of its own
// some time after what ptr points into has become unreachable.
func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) Cleanup {
	return addCleanup(unsafe.Pointer(ptr), cleanup, arg)
}

func addCleanup(ptr unsafe.Pointer, fn, arg any) Cleanup {
	if ptr == nil {
		panic("runtime.AddCleanup: ptr is nil")
	}
	if p := (*[2]unsafe.Pointer)(unsafe.Pointer(&arg))[1]; p == ptr && takesPointer(fn) {
		panic("runtime.AddCleanup: ptr is equal to arg, cleanup will never run")
	}
	id, what := attachCleanup(ptr, &cleanup{fn, arg})
	switch what {
	case cleanNever:
		return Cleanup{}
	case cleanNotHeap:
		panic("runtime.AddCleanup: ptr not in allocated block")
	case cleanInArg:
		panic("runtime.AddCleanup: ptr is within arg, cleanup will never run")
	case cleanCloses:
		panic("runtime.AddCleanup: cleanup function closes over ptr, cleanup will never run")
	}
	if first(&cleanupStarted) {
		startSystem(runCleanups)
	}
	KeepAlive(ptr)
	return Cleanup{id, uintptr(ptr)}
}

// Stop cancels the cleanup unless it is due already. While ptr is reachable
// that is certain.
func (c Cleanup) Stop() {
	if c.id != 0 {
		detachCleanup(c.ptr, c.id)
	}
}

func runCleanups() {
	for {
		for c := nextCleanup(); c != nil; c = nextCleanup() {
			spawn(c.fn, c.arg)
		}
		waitFinalizers(&cleanupSema)
	}
}
