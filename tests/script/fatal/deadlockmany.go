// fatal
// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

func sender(c chan int)   { c <- 1 }
func receiver(c chan int) { <-c }
func locker(mu *sync.Mutex) {
	mu.Lock()
	mu.Lock()
}

func main() {
	var c1, nilc chan int
	c1 = make(chan int)
	c2 := make(chan int)
	c3 := make(chan int)
	var mu sync.Mutex
	go sender(c1)
	go receiver(c2)
	go func() { <-nilc }()
	go locker(&mu)
	go func() {
		select {
		case <-c3:
		case c3 <- 1:
		case <-nilc:
		}
	}()
	go func() {
		for range 10 {
			runtime.Gosched()
		}
		time.Sleep(time.Millisecond)
		select {}
	}()
	var wg sync.WaitGroup
	wg.Add(1)
	fmt.Println("waiting")
	time.Sleep(10 * time.Millisecond)
	wg.Wait()
}
