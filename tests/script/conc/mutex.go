// run
// concurrent
// SPDX-License-Identifier: MIT

// Mutual exclusion: counters, TryLock, invariants seen by many goroutines.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type account struct {
	mu      sync.Mutex
	balance int
}

type counter struct {
	sync.Mutex
	m map[string]int
}

func (c *counter) inc(k string) {
	c.Lock()
	defer c.Unlock()
	c.m[k]++
}

func transfer(a, b *account, n int) {
	a.mu.Lock()
	b.mu.Lock()
	a.balance -= n
	if n%5 == 0 {
		runtime.Gosched()
	}
	b.balance += n
	b.mu.Unlock()
	a.mu.Unlock()
}

func main() {
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	for g := 0; g < 20; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 200; i++ {
				mu.Lock()
				v := n
				if i%20 == 0 {
					runtime.Gosched()
				}
				n = v + 1
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	fmt.Println(n)

	acc := make([]*account, 5)
	for i := range acc {
		acc[i] = &account{balance: 1000}
	}
	for g := 0; g < 10; g++ {
		wg.Add(1)
		go func(g int) {
			defer wg.Done()
			for i := 0; i < 100; i++ {
				a, b := (g+i)%5, (g*3+i*7)%5
				if a < b {
					transfer(acc[a], acc[b], i)
				} else if b < a {
					transfer(acc[b], acc[a], -i)
				}
			}
		}(g)
	}
	wg.Wait()
	sum := 0
	for _, a := range acc {
		sum += a.balance
	}
	fmt.Println(sum)

	c := counter{m: map[string]int{}}
	for g := 0; g < 8; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 90; i++ {
				c.inc([]string{"a", "b", "c"}[i%3])
			}
		}()
	}
	wg.Wait()
	fmt.Println(c.m)

	fmt.Println(mu.TryLock(), mu.TryLock())
	got := make(chan bool)
	go func() { got <- mu.TryLock() }()
	fmt.Println(<-got)
	go func() { mu.Lock(); got <- true }()
	mu.Unlock()
	fmt.Println(<-got)
	mu.Unlock() // another goroutine locked it; that is allowed
	var l sync.Locker = &mu
	l.Lock()
	l.Unlock()
	fmt.Println("done")
}
