// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"runtime"
	"sort"
	"sync"
	"time"
)

type node struct {
	next *node
	data [6]int
}

const (
	lists  = 1000
	length = 3500 // 56 bytes each: about 200 MB
)

var live [lists]*node

func list() (l *node) {
	for i := 0; i < length; i++ {
		l = &node{next: l}
	}
	return
}

// What a program feels of the collector: 200 MB of live data, lists replaced
// all the time, and two watchers, one that allocates and one that ticks.
func main() {
	for i := range live {
		live[i] = list()
	}
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	stop := make(chan bool)
	var wg sync.WaitGroup
	var worst time.Duration
	var slips []time.Duration
	wg.Add(2)
	go func() {
		defer wg.Done()
		var keep [1024]*node
		for {
			select {
			case <-stop:
				return
			default:
			}
			start := time.Now()
			for i := range keep {
				keep[i] = &node{}
			}
			worst = max(worst, time.Since(start))
		}
	}()
	go func() {
		defer wg.Done()
		last := time.Now()
		tick := time.NewTicker(time.Millisecond)
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				now := time.Now()
				slips = append(slips, now.Sub(last)-time.Millisecond)
				last = now
			}
		}
	}()
	start := time.Now()
	for i := 0; time.Since(start) < 3*time.Second; i++ {
		live[i%lists] = list()
	}
	close(stop)
	wg.Wait()
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	var pauses []uint64
	for n := before.NumGC; n < ms.NumGC; n++ {
		pauses = append(pauses, ms.PauseNs[n%256])
	}
	sort.Slice(pauses, func(i, j int) bool { return pauses[i] < pauses[j] })
	var pause, median uint64
	if len(pauses) > 0 {
		pause, median = pauses[len(pauses)-1], pauses[len(pauses)/2]
	}
	sort.Slice(slips, func(i, j int) bool { return slips[i] < slips[j] })
	slip := time.Duration(0)
	if len(slips) > 0 {
		slip = slips[len(slips)*99/100]
	}
	fmt.Println("done")
	println("pause_us", pause/1000)
	println("median_us", median/1000)
	println("gc_permille", int(ms.GCCPUFraction*1000))
	println("stall_us", worst.Microseconds())
	println("slip_us", slip.Microseconds())
	println("cycles", ms.NumGC-before.NumGC)
}
