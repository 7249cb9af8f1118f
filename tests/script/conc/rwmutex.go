// run
// concurrent
// SPDX-License-Identifier: MIT

// Readers and writers.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

func main() {
	var mu sync.RWMutex
	var readers, most, writers atomic.Int32
	data := make([]int, 10)
	var wg sync.WaitGroup
	for w := 0; w < 4; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 100; i++ {
				mu.Lock()
				if writers.Add(1) != 1 || readers.Load() != 0 {
					panic("writer not alone")
				}
				for j := range data {
					data[j]++
					if j == 5 && i%25 == 0 {
						runtime.Gosched()
					}
				}
				writers.Add(-1)
				mu.Unlock()
			}
		}()
	}
	for r := 0; r < 8; r++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 100; i++ {
				mu.RLock()
				n := readers.Add(1)
				if n > most.Load() {
					most.Store(n)
				}
				if writers.Load() != 0 {
					panic("reader beside a writer")
				}
				first := data[0]
				if i%10 == 0 {
					runtime.Gosched()
				}
				for _, v := range data {
					if v != first {
						panic("torn write seen")
					}
				}
				readers.Add(-1)
				mu.RUnlock()
			}
		}()
	}
	wg.Wait()
	fmt.Println(data[0], data[9], most.Load() >= 1)

	// Two readers at once, for certain.
	var both sync.WaitGroup
	both.Add(2)
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.RLock()
			both.Done()
			both.Wait()
			mu.RUnlock()
		}()
	}
	wg.Wait()
	mu.RLock()
	fmt.Println(mu.TryLock(), mu.TryRLock())
	mu.RUnlock()
	mu.RUnlock()
	fmt.Println(mu.TryLock(), mu.TryRLock())
	mu.Unlock()
	l := mu.RLocker()
	l.Lock()
	fmt.Println(mu.TryLock())
	l.Unlock()

	// A waiting writer comes before new readers but after old ones.
	mu.RLock()
	order := make(chan string, 10)
	wg.Add(1)
	go func() {
		defer wg.Done()
		mu.Lock()
		order <- "writer"
		mu.Unlock()
	}()
	for mu.TryRLock() { // until the writer waits
		mu.RUnlock()
		runtime.Gosched()
	}
	wg.Add(1)
	go func() {
		defer wg.Done()
		mu.RLock()
		order <- "reader"
		mu.RUnlock()
	}()
	for i := 0; i < 10; i++ {
		runtime.Gosched()
	}
	fmt.Println(len(order))
	mu.RUnlock()
	wg.Wait()
	fmt.Println(<-order, <-order)
}
