// end: panic or fatal error
// within: 200
// says: index out of range

package main

import "sync"

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var all []int
	for i := 0; i < 3; i++ {
		go func() {
			wg.Add(1) // should come before go
			defer wg.Done()
			mu.Lock()
			all = append(all, i)
			mu.Unlock()
		}()
	}
	wg.Wait()
	mu.Lock()
	_ = all[2]
	mu.Unlock()
}
