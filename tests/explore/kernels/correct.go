// end: none
// leaks

package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Everything that the others get wrong, right.
func main() {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	var n atomic.Int64
	m := map[int]int{}
	jobs := make(chan int)
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				mu.Lock()
				m[j] = i
				mu.Unlock()
				n.Add(1)
			}
		}()
	}
	for j := 0; j < 6; j++ {
		jobs <- j
	}
	close(jobs)
	wg.Wait()
	mu.RLock()
	if len(m) != 6 || n.Load() != 6 {
		panic("lost")
	}
	mu.RUnlock()

	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	result := make(chan int, 1)
	go func() {
		time.Sleep(time.Millisecond)
		result <- 1
	}()
	select {
	case <-result:
	case <-ctx.Done():
	}
	t := time.NewTicker(time.Minute)
	for i := 0; i < 3; i++ {
		<-t.C
	}
	t.Stop()
	var once sync.Once
	c := sync.NewCond(&sync.Mutex{})
	ready := false
	go once.Do(func() {
		c.L.Lock()
		ready = true
		c.L.Unlock()
		c.Broadcast()
	})
	c.L.Lock()
	for !ready {
		c.Wait()
	}
	c.L.Unlock()
}
