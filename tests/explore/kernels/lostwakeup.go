// end: deadlock
// within: 200
// says: sync.Cond.Wait
// says: it signals to a sync.Cond at lostwakeup.go:14, where nobody waits yet

package main

import "sync"

func main() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	go func() {
		c.Signal() // without a state that says so
	}()
	mu.Lock()
	c.Wait()
	mu.Unlock()
}
