// end: deadlock
// within: 200
// says: sync.RWMutex.RLock
// says: it holds a lock for reading since rlocktwice.go:34
// says: (sync.RWMutex.RLock) for a lock that goroutine 2 has asked for before, for writing, at rlocktwice.go:22
// says: (sync.RWMutex.Lock) for a lock that goroutine 1 took at rlocktwice.go:34
// says: a circle: goroutine 1 -> 2 -> 1

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
