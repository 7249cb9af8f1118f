// lockorder: 1
// says: for reading
package main

import (
	"sync"
	"time"
)

func main() {
	var a, b sync.RWMutex
	var done sync.WaitGroup
	done.Add(2)
	go func() {
		defer done.Done()
		a.RLock()
		b.Lock()
		b.Unlock()
		a.RUnlock()
	}()
	go func() {
		defer done.Done()
		time.Sleep(10 * time.Millisecond)
		b.RLock()
		a.Lock()
		a.Unlock()
		b.RUnlock()
	}()
	done.Wait()
}
