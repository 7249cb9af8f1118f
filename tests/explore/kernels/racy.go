// end: data race
// within: 200
// status: 66
// race
// says: WARNING: DATA RACE
// says: -race -sched-seed

package main

import "sync"

func main() {
	var mu sync.Mutex
	ready, x := false, 0
	done := make(chan bool)
	go func() {
		mu.Lock()
		ready = true
		mu.Unlock()
		x = 1 // after the lock that orders it
		done <- true
	}()
	mu.Lock()
	r := ready
	mu.Unlock()
	if r {
		println(x)
	}
	<-done
}
