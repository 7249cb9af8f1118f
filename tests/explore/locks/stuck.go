// deadlocks: 1
// says: deadlock: 3 goroutines wait for locks
// says: a circle: goroutine
// says: for a lock that goroutine 1 took at stuck.go:
// says: main.circle.func1
package main

import (
	"bytes"
	"runtime"
	"sync"
)

// waiting is how many goroutines wait for a lock.
func waiting() int {
	buf := make([]byte, 1<<16)
	return bytes.Count(buf[:runtime.Stack(buf, true)], []byte("[sync.Mutex.Lock"))
}

func circle() {
	a, b := new(sync.Mutex), new(sync.Mutex)
	var both sync.WaitGroup
	both.Add(2)
	lock := func(x, y *sync.Mutex) {
		x.Lock()
		both.Done()
		both.Wait()
		y.Lock()
	}
	go lock(a, b)
	go lock(b, a)
}

// Main takes a lock with it.
func taken() {
	mu := new(sync.Mutex)
	mu.Lock()
	go mu.Lock()
}

func main() {
	circle()
	taken()
	for waiting() != 3 {
		runtime.Gosched()
	}
}
