// SPDX-License-Identifier: MIT

// Allocates in some goroutines, and says how many collections there were and
// for how long they have stopped the world, in nanoseconds.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

type node struct{ left, right *node }

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{tree(depth - 1), tree(depth - 1)}
}

func main() {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := 0; j < 40; j++ {
				tree(13)
			}
		}()
	}
	wg.Wait()
	debug.SetGCPercent(-1)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println(m.NumGC, m.PauseTotalNs)
}
