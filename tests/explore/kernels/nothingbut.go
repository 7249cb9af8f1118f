// end: deadlock
// within: 100
// says: time.Sleep, nothingbut.go:19; it waits: sleep
// says: sync.(*Mutex).Lock, nothingbut.go:20; it waits: sync.Mutex.Lock
// says: waits at nothingbut.go:20 (sync.Mutex.Lock) for a lock that goroutine 1 took at nothingbut.go:18

package main

import (
	"sync"
	"time"
)

// Goroutines that are a call of the library's and nothing else are told of by
// the go statement.
func main() {
	var mu sync.Mutex
	mu.Lock()
	go time.Sleep(time.Second)
	go mu.Lock()
	time.Sleep(time.Minute)
	mu.Lock()
}
