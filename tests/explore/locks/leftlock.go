// deadlocks: 0
package main

import (
	"bytes"
	"runtime"
	"sync"
	"time"
)

// waiting is how many goroutines wait so.
func waiting(why string) int {
	buf := make([]byte, 1<<16)
	return bytes.Count(buf[:runtime.Stack(buf, true)], []byte("["+why))
}

// Whoever has the lock will wake up and give it back; and who waits for a
// channel that nobody has any more when main ends has just not been told.
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
	go func() {
		<-make(chan bool)
	}()
	for waiting("sync.Mutex.Lock") != 3 || waiting("chan receive") != 1 {
		runtime.Gosched()
	}
}
