// lockorder: 0
package main

import "sync"

// Reads twice, but nobody can write meanwhile: a writer comes before or after,
// or has a lock that the reader has as well; or the goroutine itself writes.
func main() {
	var mu sync.RWMutex
	var gate sync.Mutex
	var done sync.WaitGroup
	twice := func() {
		mu.RLock()
		mu.RLock()
		mu.RUnlock()
		mu.RUnlock()
	}
	mu.Lock()
	mu.Unlock()
	done.Add(2)
	go func() {
		defer done.Done()
		gate.Lock()
		twice()
		gate.Unlock()
	}()
	go func() {
		defer done.Done()
		gate.Lock()
		mu.Lock()
		mu.Unlock()
		gate.Unlock()
	}()
	done.Wait()
	twice()
	mu.Lock()
	mu.Unlock()
}
