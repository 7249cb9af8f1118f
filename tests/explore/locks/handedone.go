// lockorder: 1
// says: for reading
// says: handedone.go:24
package main

import (
	"sync"
	"time"
)

// Of two locks for reading one is given back by another goroutine.
func main() {
	var a, b, c sync.RWMutex
	var done sync.WaitGroup
	given, back := make(chan bool), make(chan bool)
	done.Add(2)
	go func() {
		<-given
		b.RUnlock()
		back <- true
	}()
	go func() {
		defer done.Done()
		a.RLock()
		b.RLock()
		given <- true
		<-back
		c.Lock()
		c.Unlock()
		a.RUnlock()
	}()
	go func() {
		defer done.Done()
		time.Sleep(10 * time.Millisecond)
		c.Lock()
		a.Lock()
		a.Unlock()
		b.Lock()
		b.Unlock()
		c.Unlock()
	}()
	done.Wait()
}
