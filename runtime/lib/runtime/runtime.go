// SPDX-License-Identifier: MIT

// Package runtime talks to the runtime system. Every program loads it, so
// that it is kept small; the natives are in native.c.
//
//race:off
package runtime

import "unsafe"

const (
	Compiler = "gc"
	GOOS     = "linux"
	GOARCH   = "amd64"
)

// An Error is a run-time error of the language.
type Error interface {
	error
	RuntimeError()
}

// The run-time errors, which the VM makes; all begin with a string. That of
// a key without a hash is in internal/runtime/maps.

type errorString string

func (e errorString) Error() string { return "runtime error: " + string(e) }
func (e errorString) RuntimeError() {}

// A plainError's text has nothing before it.
type plainError string

func (e plainError) Error() string { return string(e) }
func (e plainError) RuntimeError() {}

// A boundsError is an index or a slice expression out of range.
type boundsError struct {
	text string
}

func (e boundsError) Error() string { return "runtime error: " + e.text }
func (e boundsError) RuntimeError() {}

// A TypeAssertionError is a failed type assertion. The VM makes it.
type TypeAssertionError struct {
	text string
}

func (e *TypeAssertionError) Error() string { return e.text }
func (*TypeAssertionError) RuntimeError()   {}

// A PanicNilError is what panic(nil) panics with.
type PanicNilError struct {
	text string
	_    [0]func() // not comparable
}

func (*PanicNilError) Error() string { return "panic called with nil argument" }
func (*PanicNilError) RuntimeError() {}


// Breakpoint ends the program with a traceback.
//race:none
func Breakpoint()

//race:none
func Gosched()
//race:none
func Goexit()
//race:none
func GOMAXPROCS(n int) int
//race:none
func NumCPU() int
//race:none
func NumGoroutine() int
//go:noescape
//race:writes buf[:r]
func Stack(buf []byte, all bool) int

// lockThread binds the goroutine to its thread, or undoes that.
//race:none
func lockThread(lock bool)

// gcBegun is the number of marks that have begun.
//race:none
func gcBegun() uint64

// gcStart begins the mark of that number if nobody has; false: somebody ends
// or begins one just now.
//race:none
func gcStart(mark uint64) bool

// gcWait waits until that many collections have marked.
//race:none
func gcWait(mark uint64)

// gcSweep frees some of what that mark has left; it is true when all is free
// and the memory profile has been published.
//race:none
func gcSweep(mark uint64) bool

// GC runs a garbage collection and returns when it is complete.
func GC() {
	n := gcBegun()
	gcWait(n)
	for !gcStart(n + 1) {
		Gosched()
	}
	gcWait(n + 1)
	for !gcSweep(n + 1) {
		Gosched()
	}
}

// LockOSThread binds the goroutine to its thread.
func LockOSThread() { lockThread(true) }

// UnlockOSThread undoes LockOSThread.
func UnlockOSThread() { lockThread(false) }

// NumCgoCall returns the number of cgo calls: none.
func NumCgoCall() int64 { return 0 }

// GOROOT returns the root of the Go tree: what the variable GOROOT said when the
// program began, or the folder that vole's own library comes from; "" where
// that is packed with vole.
//
//race:none
func GOROOT() string

// Version returns the version of Go that programs are written for.
//race:none
func Version() string

// KeepAlive keeps x reachable up to the call.
func KeepAlive(x any) {}

// callers stores the pcs of the calls in progress, innermost first, after
// skip; skip 0 is its caller.
//
//go:noescape
//race:writes pc[:r]
func callers(skip int, pc []uintptr) int

// symbol tells what a pc of callers means.
//race:none
func symbol(pc uintptr) (name, file string, line int, entry uintptr, ok bool)

// Callers stores the program counters of the calls in progress, after skip;
// skip 0 is Callers itself.
func Callers(skip int, pc []uintptr) int {
	if len(pc) == 0 {
		return 0
	}
	return callers(skip, pc)
}

// Caller tells which call is in progress in the skip-th caller: 0 is the
// caller of Caller.
func Caller(skip int) (pc uintptr, file string, line int, ok bool) {
	var pcs [1]uintptr
	if callers(skip+1, pcs[:]) < 1 {
		return 0, "", 0, false
	}
	_, file, line, _, ok = symbol(pcs[0])
	return pcs[0], file, line, ok
}

// A Func is a function of the program; its address is the program's own
// record of it.
type Func struct {
	_ int
}

// funcOf returns the record of the function that holds pc, funcEntry the
// first pc of such a function.
//race:none
func funcOf(pc uintptr) *Func
//race:constant
func funcEntry(f *Func) uintptr

// FuncForPC returns the function that holds pc, nil if there is none.
func FuncForPC(pc uintptr) *Func { return funcOf(pc) }

// Name returns the name with the package.
func (f *Func) Name() string {
	if f == nil {
		return ""
	}
	name, _, _, _, _ := symbol(f.Entry())
	return name
}

// Entry returns the function's first pc.
func (f *Func) Entry() uintptr { return funcEntry(f) }

// FileLine returns the source position of pc.
func (f *Func) FileLine(pc uintptr) (file string, line int) {
	_, file, line, _, ok := symbol(pc)
	if !ok {
		return "?", 0
	}
	return file, line
}

// A Frame is a call in progress.
type Frame struct {
	PC       uintptr
	Func     *Func
	Function string
	File     string
	Line     int
	Entry    uintptr
}

// Frames goes through what Callers stored.
type Frames struct {
	callers []uintptr
}

// CallersFrames returns the Frames of pcs that Callers stored.
func CallersFrames(callers []uintptr) *Frames {
	return &Frames{callers}
}

// Next returns the next Frame, and whether there are more.
func (ci *Frames) Next() (frame Frame, more bool) {
	for len(ci.callers) > 0 {
		pc := ci.callers[0]
		ci.callers = ci.callers[1:]
		name, file, line, entry, ok := symbol(pc)
		if ok {
			f := funcOf(entry)
			return Frame{pc, f, name, file, line, entry}, len(ci.callers) > 0
		}
	}
	return Frame{}, false
}

// MemStats is the statistics of the memory allocator.
type MemStats struct {
	Alloc         uint64
	TotalAlloc    uint64
	Sys           uint64
	Lookups       uint64
	Mallocs       uint64
	Frees         uint64
	HeapAlloc     uint64
	HeapSys       uint64
	HeapIdle      uint64
	HeapInuse     uint64
	HeapReleased  uint64
	HeapObjects   uint64
	StackInuse    uint64
	StackSys      uint64
	MSpanInuse    uint64
	MSpanSys      uint64
	MCacheInuse   uint64
	MCacheSys     uint64
	BuckHashSys   uint64
	GCSys         uint64
	OtherSys      uint64
	NextGC        uint64
	LastGC        uint64
	PauseTotalNs  uint64
	PauseNs       [256]uint64
	PauseEnd      [256]uint64
	NumGC         uint32
	NumForcedGC   uint32
	GCCPUFraction float64
	EnableGC      bool
	DebugGC       bool
	BySize        [61]struct {
		Size    uint32
		Mallocs uint64
		Frees   uint64
	}
}

// ReadMemStats fills m.
//
//go:noescape
//race:writes m:5776
func ReadMemStats(m *MemStats)

// What setFinalizer says.
const (
	finOK = iota
	finNil
	finNotPointer
	finNotStart
	finNotFunc
	finBadArg
	finAgain
	finNotHeap
	finDots
)

// setFinalizer registers or, for a nil function, removes a finalizer; the
// texts are the types of the arguments.
//race:none
func setFinalizer(obj, finalizer any) (what int, objType, finType string)

// nextFinalizer hands out an object to finalize: its address and type and
// the function; iface says that the function takes an interface.
//race:none
func nextFinalizer() (obj any, fn unsafe.Pointer, iface, ok bool)

// startSystem starts f in a goroutine that belongs to the runtime.
//race:orders
func startSystem(f func())

// waitFinalizers waits until there may be something to finalize; the
// collector adds to finSema by name.
//race:inner
func waitFinalizers(sema *uint32)

// fatal ends the program with "fatal error: " and the message.
//race:none
func fatal(msg string)

// first sets *p to 1 and reports whether it was 0.
//race:inner
func first(p *uint32) bool

var finSema uint32
var finStarted uint32

// SetFinalizer arranges for finalizer(obj) to be called in a goroutine of
// the runtime some time after obj has become unreachable.
func SetFinalizer(obj any, finalizer any) {
	what, objType, finType := setFinalizer(obj, finalizer)
	switch what {
	case finNil:
		fatal("runtime.SetFinalizer: first argument is nil")
	case finNotPointer:
		fatal("runtime.SetFinalizer: first argument is " + objType + ", not pointer")
	case finNotStart:
		fatal("runtime.SetFinalizer: pointer not at beginning of allocated block")
	case finNotFunc:
		fatal("runtime.SetFinalizer: second argument is " + finType + ", not a function")
	case finBadArg:
		fatal("runtime.SetFinalizer: cannot pass " + objType + " to finalizer " + finType)
	case finAgain:
		fatal("runtime.SetFinalizer: finalizer already set")
	case finNotHeap:
		fatal("runtime.SetFinalizer: pointer not in allocated block")
	case finDots:
		fatal("runtime.SetFinalizer: cannot pass " + objType + " to finalizer " + finType + " because dotdotdot")
	}
	if finalizer != nil && first(&finStarted) {
		startSystem(runFinalizers)
	}
}

func runFinalizers() {
	for {
		for {
			obj, fn, iface, ok := nextFinalizer()
			if !ok {
				break
			}
			if iface {
				(*(*func(any))(unsafe.Pointer(&fn)))(obj)
			} else {
				// The object's address is the interface's data word.
				p := (*[2]unsafe.Pointer)(unsafe.Pointer(&obj))[1]
				(*(*func(unsafe.Pointer))(unsafe.Pointer(&fn)))(p)
			}
		}
		waitFinalizers(&finSema)
	}
}
