// end: deadlock
// within: 200
// says: waits at abba.go:29 (sync.Mutex.Lock) for a lock that goroutine
// says: a circle: goroutine

package main

import "sync"

type account struct {
	mu    sync.Mutex
	money int
}

func main() {
	var a, b account
	var wg sync.WaitGroup
	wg.Add(2)
	go move(&wg, &a, &b)
	go move(&wg, &b, &a)
	wg.Wait()
}

// move locks in the order of its arguments.
func move(wg *sync.WaitGroup, from, to *account) {
	defer wg.Done()
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.money--
	to.money++
}
