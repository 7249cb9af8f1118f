// run
// concurrent
// SPDX-License-Identifier: MIT

// A reusable barrier, an event bus and a rate of requests, all combined.
package main

import (
	"fmt"
	"sort"
	"strings"
	"sync"
)

type barrier struct {
	mu    sync.Mutex
	cond  *sync.Cond
	n     int
	count int
	phase int
}

func newBarrier(n int) *barrier {
	b := &barrier{n: n}
	b.cond = sync.NewCond(&b.mu)
	return b
}

func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	phase := b.phase
	b.count++
	if b.count == b.n {
		b.count = 0
		b.phase++
		b.cond.Broadcast()
		return
	}
	for phase == b.phase {
		b.cond.Wait()
	}
}

type bus struct {
	sync.RWMutex
	subs map[string][]chan string
}

func (b *bus) subscribe(topic string, n int) <-chan string {
	c := make(chan string, n)
	b.Lock()
	b.subs[topic] = append(b.subs[topic], c)
	b.Unlock()
	return c
}

func (b *bus) publish(topic, msg string) {
	b.RLock()
	defer b.RUnlock()
	for _, c := range b.subs[topic] {
		c <- msg
	}
}

func (b *bus) close() {
	b.Lock()
	defer b.Unlock()
	for _, cs := range b.subs {
		for _, c := range cs {
			close(c)
		}
	}
}

func life(n, steps int) int {
	cur, next := make([]int, n), make([]int, n)
	cur[n/2] = 1
	const workers = 4
	b := newBarrier(workers)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for s := 0; s < steps; s++ {
				a, z := cur, next
				if s%2 == 1 {
					a, z = next, cur
				}
				for i := w * n / workers; i < (w+1)*n/workers; i++ {
					l, c, r := a[(i+n-1)%n], a[i], a[(i+1)%n]
					z[i] = (30 >> (l*4 + c*2 + r)) & 1
				}
				b.wait()
			}
		}()
	}
	wg.Wait()
	alive := 0
	for _, v := range cur {
		alive += v
	}
	return alive
}

func main() {
	fmt.Println(life(128, 50), life(200, 60))
	b := &bus{subs: map[string][]chan string{}}
	var wg sync.WaitGroup
	got := make([][]string, 6)
	for i := range got {
		c := b.subscribe([]string{"a", "b", "c"}[i%3], i)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for m := range c {
				got[i] = append(got[i], m)
			}
		}()
	}
	var pubs sync.WaitGroup
	for p := 0; p < 3; p++ {
		pubs.Add(1)
		go func() {
			defer pubs.Done()
			for k := 0; k < 5; k++ {
				b.publish([]string{"a", "b", "c"}[(p+k)%3], fmt.Sprint(p, "-", k))
			}
		}()
	}
	pubs.Wait()
	b.close()
	wg.Wait()
	for i, g := range got {
		sort.Strings(g)
		fmt.Println(i, strings.Join(g, " "))
	}
}
