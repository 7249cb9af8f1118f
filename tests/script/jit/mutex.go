// run

// A mutex that is free while others wait for it, or are awake to try, is taken
// by whoever comes; one that is handed over is not.

package main

import (
	"fmt"
	"runtime"
	"sync"
)

var (
	mu      sync.Mutex
	counter int
)

// Hot, and now and then stopped where the others must wait.
func add(n int) {
	for i := range n {
		mu.Lock()
		counter++
		if i%997 == 0 {
			runtime.Gosched()
		}
		mu.Unlock()
	}
}

// One waits; the mutex is free again, and taken by whoever comes first.
func barge() (first, second bool) {
	mu.Lock()
	done := make(chan bool, 1)
	go func() {
		mu.Lock()
		done <- true
		mu.Unlock()
	}()
	for range 100 {
		runtime.Gosched()
	}
	first = mu.TryLock()
	mu.Unlock()
	mu.Lock()
	second = mu.TryLock()
	mu.Unlock()
	<-done
	return first, second
}

func main() {
	var wg sync.WaitGroup
	for range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			add(20000)
		}()
	}
	wg.Wait()
	fmt.Println(counter)
	for range 50 {
		if first, second := barge(); first || second {
			fmt.Println("taken while locked")
		}
	}
	mu.Lock()
	mu.Unlock()
	fmt.Println(mu.TryLock(), mu.TryLock())
	mu.Unlock()
}
