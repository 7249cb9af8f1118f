// SPDX-License-Identifier: MIT

package runtime

import "unsafe"

// Profiles as records. The natives are in pprof/native.c.

// startRate is the rate with which the program was started.
//
//race:none
func startRate() int

// MemProfileRate is the mean number of bytes between two samples of the
// memory profile: 1 takes everything, 0 nothing. The compiler calls
// memRateChanged after each store.
var MemProfileRate int = startRate()

// memRateChanged makes the profiler look at MemProfileRate.
//
//race:none
func memRateChanged()

// A StackRecord is a stack.
type StackRecord struct {
	Stack0 [32]uintptr // ended by 0 if it is shorter
}

func cut(pcs []uintptr) []uintptr {
	for i, pc := range pcs {
		if pc == 0 {
			return pcs[:i]
		}
	}
	return pcs
}

// Stack returns the stack, a part of r.Stack0.
func (r *StackRecord) Stack() []uintptr { return cut(r.Stack0[:]) }

// A MemProfileRecord is what was allocated by one stack, in sizes of one
// class.
type MemProfileRecord struct {
	AllocBytes, FreeBytes     int64
	AllocObjects, FreeObjects int64
	Stack0                    [32]uintptr // ended by 0 if it is shorter
}

// InUseBytes returns the bytes that have not been freed.
func (r *MemProfileRecord) InUseBytes() int64 { return r.AllocBytes - r.FreeBytes }

// InUseObjects returns the number of objects that have not been freed.
func (r *MemProfileRecord) InUseObjects() int64 { return r.AllocObjects - r.FreeObjects }

// Stack returns the stack, a part of r.Stack0.
func (r *MemProfileRecord) Stack() []uintptr { return cut(r.Stack0[:]) }

// memProfile is MemProfile.
//
//race:writes p[:n]
func memProfile(p []MemProfileRecord, inuseZero bool) (n int, ok bool)

// MemProfile returns the number of records of the memory profile, and copies
// them to p if they fit. inuseZero asks also for those of which everything
// has been freed.
func MemProfile(p []MemProfileRecord, inuseZero bool) (n int, ok bool) {
	memRateChanged()
	return memProfile(p, inuseZero)
}

// A BlockProfileRecord is the waiting at one stack.
type BlockProfileRecord struct {
	Count  int64
	Cycles int64
	StackRecord
}

// blockProfile is BlockProfile or MutexProfile.
//
//race:writes p[:n]
func blockProfile(p []BlockProfileRecord, mutex bool) (n int, ok bool)

// BlockProfile returns the number of records of the block profile, and copies
// them to p if they fit.
func BlockProfile(p []BlockProfileRecord) (n int, ok bool) {
	return blockProfile(p, false)
}

// MutexProfile does the same for the mutex profile.
func MutexProfile(p []BlockProfileRecord) (n int, ok bool) {
	return blockProfile(p, true)
}

// ThreadCreateProfile returns the number of threads that were created, and
// copies the stacks that did to p if they fit.
//
//race:writes p[:n]
func ThreadCreateProfile(p []StackRecord) (n int, ok bool)

// GoroutineProfile returns the number of goroutines, and copies their stacks
// to p if they fit.
//
//race:writes p[:n]
func GoroutineProfile(p []StackRecord) (n int, ok bool)

// SetBlockProfileRate has one wait recorded for each rate nanoseconds spent
// waiting on average: 1 takes every one, 0 none.
//
//race:none
func SetBlockProfileRate(rate int)

// SetMutexProfileFraction has one of rate contentions recorded on average, 0
// for none, and returns the old fraction; a negative rate only asks.
//
//race:none
func SetMutexProfileFraction(rate int) int

// SetCPUProfileRate begins a CPU profile of hz samples a second, which
// pprof.StartCPUProfile goes on with; 0 ends it.
//
//race:none
func SetCPUProfileRate(hz int)

// CPUProfile is of no use any more.
//
// Deprecated: use package runtime/pprof.
func CPUProfile() []byte { panic("CPUProfile no longer available") }

// StartTrace fails: a trace is made by runtime/trace or by vole run -trace, and
// is not in the format of Go's.
func StartTrace() error {
	return plainError("runtime.StartTrace: traces are made by package runtime/trace")
}

// ReadTrace returns nil, as it does where StartTrace was not called.
func ReadTrace() []byte { return nil }

// StopTrace does nothing.
func StopTrace() {}

// SetCgoTraceback does nothing: there are no functions of C to be shown.
func SetCgoTraceback(version int, traceback, context, symbolizer unsafe.Pointer) {
	if version != 0 {
		panic("unsupported version")
	}
}
