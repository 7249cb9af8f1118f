// SPDX-License-Identifier: MIT

// What profiling costs: `profcost PART on` does the work of `profcost PART off`
// with a profile running, to be compared from outside by the CPU time of the
// two.  The parts for goroutine profiles measure themselves.  A third argument
// divides the work.
package main

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"sort"
	"strconv"
	"sync/atomic"
	"time"
)

func report(key string, v int64) {
	os.Stderr.WriteString(key + " " + itoa(v) + "\n")
}

func itoa(v int64) string {
	if v < 10 {
		return string(rune('0' + v))
	}
	return itoa(v/10) + string(rune('0'+v%10))
}

var sink int

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func cpu(on bool, rounds int) {
	var out bytes.Buffer
	if on {
		pprof.StartCPUProfile(&out)
	}
	for k := 0; k < rounds; k++ {
		sink += fib(27)
		m := map[int]int{}
		for i := 0; i < 60000; i++ {
			m[i*7%5000] += i
		}
		sink += len(m)
	}
	pprof.StopCPUProfile()
}

type node struct {
	next *node
	pad  [4]int
}

var live [1024]*node

// storm allocates small things, a few of which live for a while.
func storm(n int) {
	for i := 0; i < n; i++ {
		x := &node{}
		x.pad[0] = i
		if i%8 == 0 {
			live[i/8%1024] = x
		}
	}
}

// pingpong hands a number to and fro; every receive blocks.
func pingpong(n int) {
	runtime.GOMAXPROCS(1)
	a, b := make(chan int), make(chan int)
	go func() {
		for x := range a {
			b <- x
		}
		close(b)
	}()
	for i := 0; i < n; i++ {
		a <- i
		<-b
	}
	close(a)
}

func park(n int) chan bool {
	stop := make(chan bool)
	var wait func(depth int)
	wait = func(depth int) {
		if depth > 0 {
			wait(depth - 1)
			return
		}
		<-stop
	}
	for i := 0; i < n; i++ {
		go wait(i % 4)
	}
	for k := 0; k < 20; k++ {
		runtime.Gosched()
		time.Sleep(5 * time.Millisecond)
	}
	return stop
}

// longest does f while another goroutine looks at the clock, and returns how
// long f took and the longest time that the other one did not run.
func longest(f func()) (took, gap time.Duration) {
	var done, ready atomic.Bool
	worst := make(chan time.Duration)
	go func() {
		var most time.Duration
		last := time.Now()
		ready.Store(true)
		for !done.Load() {
			now := time.Now()
			if d := now.Sub(last); d > most {
				most = d
			}
			last = now
		}
		worst <- most
	}()
	for !ready.Load() {
		runtime.Gosched()
	}
	t := time.Now()
	f()
	took = time.Since(t)
	done.Store(true)
	return took, <-worst
}

func goroutines(n, rounds int) {
	stop := park(n)
	kinds := []struct {
		name  string
		debug int
	}{{"goroutine", 0}, {"dump", 2}}
	for _, k := range kinds {
		var took, gaps []float64
		for i := 0; i < rounds; i++ {
			runtime.GC()
			a, b := longest(func() {
				pprof.Lookup("goroutine").WriteTo(io.Discard, k.debug)
			})
			took = append(took, float64(a))
			gaps = append(gaps, float64(b))
		}
		sort.Float64s(took)
		sort.Float64s(gaps)
		report(k.name+"_us", int64(took[rounds/2])/1000)
		report(k.name+"_gap_us", int64(gaps[rounds/2])/1000)
	}
	close(stop)
}

func main() {
	part, on := os.Args[1], os.Args[2] == "on"
	if part != "mem" || !on {
		runtime.MemProfileRate = 0
	}
	div := 1
	if len(os.Args) > 3 {
		div, _ = strconv.Atoi(os.Args[3])
	}
	switch part {
	case "cpu":
		cpu(on, 60/div)
	case "mem":
		storm(16000000 / div)
	case "mem1":
		if on {
			runtime.MemProfileRate = 1
		}
		storm(4000000 / div)
	case "block":
		if on {
			runtime.SetBlockProfileRate(1)
		}
		pingpong(1500000 / div)
	case "goroutine":
		runtime.GOMAXPROCS(2)
		goroutines(100000, 5)
	}
}
