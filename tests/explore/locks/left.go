// deadlocks: 0
// byseed: 1
// lockorder: 0
package main

import (
	"sync"
	"time"
)

// Goroutines that wait at the end for what somebody could still do are no
// deadlock, and neither are those that nobody has told that it is over.
func main() {
	var mu sync.Mutex
	c := make(chan int)
	go func() {
		mu.Lock()
		defer mu.Unlock()
		time.Sleep(time.Hour)
	}()
	for range 3 {
		go func() {
			<-c
		}()
		go func() {
			mu.Lock()
			mu.Unlock()
		}()
	}
	time.Sleep(20 * time.Millisecond)
}
