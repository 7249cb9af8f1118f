// deadlocks: 0
package main

import (
	"sync"
	"time"
)

// Whoever has the lock will wake up and give it back.
func main() {
	var mu sync.Mutex
	locked := make(chan bool)
	go func() {
		mu.Lock()
		defer mu.Unlock()
		close(locked)
		time.Sleep(time.Hour)
	}()
	<-locked
	for range 3 {
		go func() {
			mu.Lock()
			mu.Unlock()
		}()
	}
	time.Sleep(20 * time.Millisecond)
}
