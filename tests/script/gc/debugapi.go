// run
// SPDX-License-Identifier: MIT

// sync.Pool and the collector, runtime/debug, the sums of MemStats.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

var sink []byte

type T struct{ a [64]int }

func main() {
	// What a Pool has on another P is not always found.
	procs := runtime.GOMAXPROCS(1)
	var p sync.Pool
	p.Put(&T{})
	x := p.Get()
	fmt.Println(x != nil, p.Get() == nil)
	p.Put(x)
	runtime.GC()
	y := p.Get()
	fmt.Println(y == x)
	p.Put(y)
	runtime.GC()
	runtime.GC()
	fmt.Println(p.Get() == nil)
	runtime.GOMAXPROCS(procs)
	n := 0
	q := sync.Pool{New: func() any { n++; return n }}
	fmt.Println(q.Get(), q.Get())
	fmt.Println(debug.SetMaxThreads(5000), debug.SetMaxThreads(10000), debug.SetPanicOnFault(true), debug.SetPanicOnFault(false))
	debug.SetTraceback("all")
	fmt.Println(debug.SetGCPercent(50), debug.SetGCPercent(-5), debug.SetGCPercent(100))
	fmt.Println(debug.SetMemoryLimit(1<<30), debug.SetMemoryLimit(-1), debug.SetMaxStack(1<<20))
	bi, ok := debug.ReadBuildInfo()
	fmt.Println(ok, bi.Path, bi.GoVersion != "", strings.Contains(bi.String(), "path\tcommand-line-arguments\n"))
	for i := 0; i < 64; i++ {
		sink = make([]byte, 1<<20)
	}
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println(m.Sys == m.HeapSys+m.StackSys+m.MSpanSys+m.MCacheSys+m.BuckHashSys+m.GCSys+m.OtherSys, m.StackInuse > 0, m.StackSys >= m.StackInuse, m.HeapSys == m.HeapInuse+m.HeapIdle, m.HeapReleased <= m.HeapIdle,
		m.MSpanInuse > 0, m.MSpanSys >= m.MSpanInuse, m.MCacheInuse > 0, m.MCacheSys >= m.MCacheInuse, m.BuckHashSys > 0, m.GCSys > 0, m.OtherSys > 0, m.NumGC >= 4, m.NumForcedGC >= 4, m.PauseNs[(m.NumGC+255)%256] > 0, m.EnableGC, m.DebugGC, m.Alloc == m.HeapAlloc, m.Mallocs-m.Frees == m.HeapObjects, m.LastGC > 0, m.NextGC > 0, m.GCCPUFraction >= 0 && m.GCCPUFraction < 1)
	var s debug.GCStats
	s.PauseQuantiles = make([]time.Duration, 5)
	// A collection may end in between.
	for range 1000 {
		runtime.ReadMemStats(&m)
		debug.ReadGCStats(&s)
		if s.NumGC == int64(m.NumGC) {
			break
		}
	}
	fmt.Println(s.NumGC == int64(m.NumGC), len(s.Pause) == int(s.NumGC), s.PauseQuantiles[0] <= s.PauseQuantiles[4])
	fmt.Println(strings.Contains(string(debug.Stack()), "main.main()"))
}
