// run
// concurrent
// SPDX-License-Identifier: MIT

// A lock holds while the number of processors changes between one and more,
// also in the function that changes it.

package main

import (
	"fmt"
	"runtime"
	"sync"
)

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) add(n int) {
	for i := 0; i < n; i++ {
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
	}
}

const inner = 5000

// change locks in the loop in which the number changes.
func change(c *counter, times int) {
	for i := 0; i < times; i++ {
		runtime.GOMAXPROCS(1 + i%2*3)
		for k := 0; k < inner; k++ {
			c.mu.Lock()
			c.n++
			c.mu.Unlock()
		}
	}
}

func main() {
	const workers, each, times = 6, 100000, 100
	var c counter
	var wg sync.WaitGroup
	old := runtime.GOMAXPROCS(0)
	for i := 0; i < workers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.add(each)
		}()
	}
	change(&c, times)
	wg.Wait()
	runtime.GOMAXPROCS(old)
	fmt.Println(c.n == workers*each+times*inner, c.mu.TryLock(), c.mu.TryLock())

	func() {
		defer func() { fmt.Println(recover() != nil) }()
		var none *counter
		none.add(1)
	}()
}
