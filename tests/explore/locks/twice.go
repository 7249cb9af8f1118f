// lockorder: 2
// says: and takes it for reading once more, behind whoever waits to write, at
// says: main.add
package main

import "sync"

type table struct {
	mu sync.RWMutex
	n  map[string]int
}

func (t *table) get(key string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.n[key]
}

// Reads while it reads.
func (t *table) both(a, b string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.get(a) + t.get(b)
}

func add(t *table, key string) {
	t.mu.Lock()
	t.n[key]++
	t.mu.Unlock()
}

func main() {
	var done sync.WaitGroup
	t := &table{n: map[string]int{}}
	add(t, "before all others")
	done.Add(2)
	go func() {
		defer done.Done()
		add(t, "a")
	}()
	first := make(chan bool, 1)
	go func() {
		defer done.Done()
		<-first
		t.both("a", "b")
	}()
	first <- true
	done.Wait()
	add(t, "after all others")
}
