// end: deadlock
// within: 200
// says: sync.RWMutex.RLock
// says: it holds a lock for reading since rlocktwice.go:31

package main

import "sync"

type table struct {
	mu sync.RWMutex
	m  map[string]int
}

func main() {
	t := &table{m: map[string]int{"a": 1}}
	done := make(chan bool)
	go func() {
		t.mu.Lock()
		t.m["b"] = 2
		t.mu.Unlock()
		done <- true
	}()
	t.sum()
	<-done
}

// sum reads while it reads: a writer that comes in between waits for the one
// and keeps the other out.
func (t *table) sum() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.get("a") + t.get("b")
}

func (t *table) get(s string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.m[s]
}
