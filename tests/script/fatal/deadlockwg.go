// fatal
// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	res := make(chan int)
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			res <- i
		}()
	}
	fmt.Println(<-res < 3)
	wg.Wait()
}
