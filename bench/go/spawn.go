// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	const n = 1000000
	var wg sync.WaitGroup
	run := func() time.Duration {
		start := time.Now()
		wg.Add(n)
		for i := 0; i < n; i++ {
			go wg.Done()
		}
		wg.Wait()
		return time.Since(start)
	}
	run()
	d := run()
	fmt.Println("joined")
	println("ns/op", d.Nanoseconds()/n)
}
