// SPDX-License-Identifier: MIT

// Of those that begin to wait for a group at the same time one is the first.
package main

import "sync"

func main() {
	for range 5 {
		var all, gate sync.WaitGroup
		gate.Add(1)
		start := make(chan bool)
		for range 4 {
			all.Go(func() {
				<-start
				gate.Wait()
			})
		}
		close(start)
		gate.Done()
		all.Wait()
	}
}
