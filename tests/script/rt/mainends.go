// run
// SPDX-License-Identifier: MIT

// The program ends when main returns, whatever the others do.
package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	var mu sync.Mutex
	mu.Lock()
	c := make(chan int)
	started := make(chan bool)
	for i := 0; i < 50; i++ {
		go func() {
			started <- true
			switch i % 5 {
			case 0:
				for {
				}
			case 1:
				<-c
			case 2:
				mu.Lock()
			case 3:
				time.Sleep(time.Hour)
			case 4:
				select {}
			}
			fmt.Println("not printed")
		}()
	}
	for i := 0; i < 50; i++ {
		<-started
	}
	defer fmt.Println("deferred in main")
	fmt.Println("main ends")
}
