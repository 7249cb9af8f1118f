// SPDX-License-Identifier: MIT

// Goroutines that share a counter behind a lock, which is hardly ever free
// when somebody comes.

package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	const workers, n = 100, 200000
	var mu sync.Mutex
	var wg sync.WaitGroup
	counter := 0
	start := time.Now()
	for i := 0; i < workers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := 0; k < n; k++ {
				mu.Lock()
				counter++
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	d := time.Since(start)
	fmt.Println(counter)
	println("ns/op", d.Nanoseconds()/(workers*n))
}
