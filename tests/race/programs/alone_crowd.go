// SPDX-License-Identifier: MIT

// One that makes goroutines without end is not the only one to run, though
// nobody takes the only processor from it: those that it has made end before
// there are too many.
package main

import "sync"

func main() {
	var wg sync.WaitGroup
	const n = 70000
	wg.Add(n)
	for range n {
		go wg.Done()
	}
	wg.Wait()
}
