// run
// concurrent
// SPDX-License-Identifier: MIT

// Goexit runs deferred calls; panics recovered in goroutines; Gosched.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func inner(log *[]string) {
	defer func() { *log = append(*log, fmt.Sprint("inner ", recover())) }()
	runtime.Goexit()
}

func main() {
	var log []string
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer func() { log = append(log, fmt.Sprint("outer ", recover())) }()
		inner(&log)
		log = append(log, "not reached")
	}()
	wg.Wait()
	fmt.Println(log)

	// Goexit while panicking ends the panic.
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer runtime.Goexit()
		panic("dropped")
	}()
	wg.Wait()

	// A panic during Goexit that is recovered lets Goexit go on.
	log = nil
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer func() { log = append(log, "after") }()
		defer func() { log = append(log, fmt.Sprint(recover())) }()
		defer func() { panic("in deferred") }()
		runtime.Goexit()
	}()
	wg.Wait()
	fmt.Println(log)

	results := make([]string, 20)
	for i := range results {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() {
				if r := recover(); r != nil {
					results[i] = fmt.Sprint(r)
				}
			}()
			switch i % 4 {
			case 0:
				panic(i)
			case 1:
				var m map[int]int
				m[i] = 1
			case 2:
				runtime.Goexit()
			}
			results[i] = "fine"
		}()
	}
	wg.Wait()
	for i, r := range results {
		fmt.Print(i, ":", r, " ")
	}
	fmt.Println()

	// Two goroutines taking turns.
	var turns []int
	a, b := make(chan int), make(chan int)
	go func() {
		for i := range a {
			turns = append(turns, i)
			b <- i
		}
		close(b)
	}()
	for i := 0; i < 5; i++ {
		a <- i * 2
		turns = append(turns, <-b+1)
	}
	close(a)
	<-b
	fmt.Println(turns)
	done := false
	wg.Add(1)
	go func() { done = true; wg.Done() }()
	wg.Wait()
	fmt.Println(done)
	go fmt.Sprint("builtin-like call")
	go func(s ...string) {}("a", "b")
	var mu sync.Mutex
	go mu.Lock()
	for mu.TryLock() {
		mu.Unlock()
		runtime.Gosched()
	}
	fmt.Println("locked by a bare go statement")
}
