// SPDX-License-Identifier: MIT

// Package debug controls the runtime while a program is examined.
package debug

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// SetGCPercent sets GOGC and returns the old value; negative turns the
// collector off.
//
//race:none
func SetGCPercent(percent int) int

// SetMemoryLimit sets GOMEMLIMIT in bytes and returns the old value;
// negative only asks.
//
//race:none
func SetMemoryLimit(limit int64) int64

// SetMaxStack sets the most bytes that the stack of one goroutine may have
// and returns the old limit.
//
//race:none
func SetMaxStack(bytes int) int

// setMaxThreads and setTraceback change the runtime's settings; env is what
// the environment asks for.
//
//race:none
func setMaxThreads(threads int) int

//race:none
func setTraceback(level, env string)

// SetMaxThreads sets the most threads that the program may use and returns
// the old limit. A program that needs more dies.
func SetMaxThreads(threads int) int { return setMaxThreads(threads) }

// SetTraceback sets how much a dying program prints, as GOTRACEBACK does, but
// never less than that.
func SetTraceback(level string) { setTraceback(level, os.Getenv("GOTRACEBACK")) }

// SetPanicOnFault says whether the goroutine panics when it reaches an address
// that is not there, by an unsafe.Pointer, instead of ending the program, and
// returns the old setting. In functions that the runtime provides, such as
// copy, it ends the program all the same.
//
//race:none
func SetPanicOnFault(enabled bool) bool

// setCrashOutput takes a copy of a descriptor, -1 for none, and returns the
// error's number.
//
//race:none
func setCrashOutput(fd int) (code int)

// CrashOptions are settings of the text that SetCrashOutput is for. There are
// none yet.
type CrashOptions struct{}

// SetCrashOutput says that what the program prints when it dies of a panic or
// of another fatal error goes to f, too, of which it keeps a copy; nil ends
// that.
func SetCrashOutput(f *os.File, opts CrashOptions) error {
	fd := -1
	if f != nil {
		if fd = int(f.Fd()); fd < 0 {
			return os.ErrClosed
		}
	}
	if code := setCrashOutput(fd); code != 0 {
		return os.NewSyscallError("dup", syscall.Errno(code))
	}
	return nil
}

// scavenge returns free memory to the operating system.
//
//race:none
func scavenge()

// FreeOSMemory collects garbage and returns memory to the operating system.
func FreeOSMemory() {
	runtime.GC()
	scavenge()
}

// Stack returns the traceback of the goroutine.
func Stack() []byte {
	buf := make([]byte, 1024)
	for {
		n := runtime.Stack(buf, false)
		if n < len(buf) {
			return buf[:n]
		}
		buf = make([]byte, 2*len(buf))
	}
}

// PrintStack writes the result of Stack to standard error.
func PrintStack() {
	os.Stderr.Write(Stack())
}

// GCStats tells about recent garbage collections.
type GCStats struct {
	LastGC         time.Time
	NumGC          int64
	PauseTotal     time.Duration
	Pause          []time.Duration // most recent first
	PauseEnd       []time.Time     // most recent first
	PauseQuantiles []time.Duration
}

// ReadGCStats fills stats.
func ReadGCStats(stats *GCStats) {
	m := new(runtime.MemStats)
	runtime.ReadMemStats(m)
	stats.LastGC = time.Unix(0, int64(m.LastGC))
	stats.NumGC = int64(m.NumGC)
	stats.PauseTotal = time.Duration(m.PauseTotalNs)
	stats.Pause = stats.Pause[:0]
	stats.PauseEnd = stats.PauseEnd[:0]
	n := int(min(m.NumGC, 256))
	for i := 0; i < n; i++ {
		k := (int(m.NumGC) - 1 - i) % 256
		stats.Pause = append(stats.Pause, time.Duration(m.PauseNs[k]))
		stats.PauseEnd = append(stats.PauseEnd, time.Unix(0, int64(m.PauseEnd[k])))
	}
	if q := len(stats.PauseQuantiles); q > 0 {
		for i := range stats.PauseQuantiles {
			stats.PauseQuantiles[i] = 0
		}
		if n == 0 {
			return
		}
		sorted := append([]time.Duration(nil), stats.Pause...)
		for i := 1; i < n; i++ {
			for j := i; j > 0 && sorted[j] < sorted[j-1]; j-- {
				sorted[j], sorted[j-1] = sorted[j-1], sorted[j]
			}
		}
		for i := 0; i < q-1; i++ {
			stats.PauseQuantiles[i] = sorted[n*i/(q-1)]
		}
		stats.PauseQuantiles[q-1] = sorted[n-1]
	}
}

// WriteHeapDump writes nothing: there is no description of the heap in the
// format of Go's. pprof.WriteHeapProfile says what was allocated where.
func WriteHeapDump(fd uintptr) {}
