// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

func main() {
	n := 1000000
	if len(os.Args) > 1 {
		n, _ = strconv.Atoi(os.Args[1])
	}
	gate := make(chan struct{})
	var wg, ready sync.WaitGroup
	wg.Add(n)
	ready.Add(n)
	for i := 0; i < n; i++ {
		go func() {
			ready.Done()
			<-gate
			wg.Done()
		}()
	}
	ready.Wait()
	close(gate)
	wg.Wait()
	fmt.Println("released")
}
