// run
// concurrent
// SPDX-License-Identifier: MIT

// Very many goroutines, parked, released and ended.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

func chain(n int) int {
	first := make(chan int)
	in := first
	for i := 0; i < n; i++ {
		out := make(chan int)
		go func(in, out chan int) { out <- 1 + <-in }(in, out)
		in = out
	}
	first <- 0
	return <-in
}

func main() {
	const n = 10000
	var wg sync.WaitGroup
	var sum atomic.Int64
	gate := make(chan struct{})
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			<-gate
			sum.Add(int64(i))
		}()
	}
	for runtime.NumGoroutine() != n+1 {
		runtime.Gosched()
	}
	fmt.Println(runtime.NumGoroutine())
	close(gate)
	wg.Wait()
	fmt.Println(sum.Load())
	fmt.Println(chain(5000))
	for runtime.NumGoroutine() != 1 {
		runtime.Gosched()
	}
	for round := 0; round < 5; round++ {
		res := make(chan int, 100)
		for i := 0; i < 2000; i++ {
			go func() { res <- i }()
		}
		t := 0
		for i := 0; i < 2000; i++ {
			t += <-res
		}
		if t != 2000*1999/2 {
			fmt.Println("round", round, t)
		}
	}
	var spawn func(d int)
	spawn = func(d int) {
		defer wg.Done()
		if d > 0 {
			wg.Add(2)
			go spawn(d - 1)
			go spawn(d - 1)
		}
		sum.Add(1)
	}
	sum.Store(0)
	wg.Add(1)
	go spawn(11)
	wg.Wait()
	fmt.Println(sum.Load())
}
