// run
// concurrent
// SPDX-License-Identifier: MIT

// Many goroutines allocate, link and drop data while collections run.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type node struct {
	left, right *node
	val         int
	data        []byte
	name        string
	any         interface{}
}

func build(d, v int) *node {
	n := &node{val: v, data: make([]byte, v%50), name: fmt.Sprint("n", v), any: v}
	if d > 0 {
		n.left, n.right = build(d-1, 2*v), build(d-1, 2*v+1)
	}
	return n
}

func (n *node) check(v int) int {
	if n == nil {
		return 0
	}
	if n.val != v || len(n.data) != v%50 || n.name != fmt.Sprint("n", v) || n.any.(int) != v {
		panic("damaged node")
	}
	return 1 + n.left.check(2*v) + n.right.check(2*v+1)
}

func main() {
	var wg sync.WaitGroup
	keep := make([]*node, 4)
	counts := make([]int, 4)
	for g := range keep {
		wg.Add(1)
		go func() {
			defer wg.Done()
			keep[g] = build(6, 1)
			for i := 0; i < 15; i++ {
				counts[g] += build(5, 1).check(1)
				m := map[string]*node{}
				for k := 0; k < 20; k++ {
					m[fmt.Sprint(k)] = build(1, k+1)
				}
				for k := 0; k < 20; k++ {
					counts[g] += m[fmt.Sprint(k)].check(k + 1)
				}
				if i%5 == g {
					runtime.GC()
				}
			}
		}()
	}
	wg.Wait()
	total := 0
	for _, k := range keep {
		total += k.check(1)
	}
	fmt.Println(total, counts)

	// Values in flight: only channels refer to them.
	c := make(chan *node, 16)
	go func() {
		for i := 1; i <= 300; i++ {
			c <- build(2, i)
			if i%60 == 0 {
				runtime.GC()
			}
		}
		close(c)
	}()
	n, i := 0, 1
	for x := range c {
		n += x.check(i)
		i++
	}
	fmt.Println(n)
	// Only a blocked goroutine's frame refers to them.
	release := make(chan bool)
	sums := make(chan int)
	for g := 1; g <= 10; g++ {
		go func() {
			tree := build(3, g)
			closure := func() int { return tree.check(g) }
			<-release
			sums <- closure()
		}()
	}
	for k := 0; k < 3; k++ {
		runtime.GC()
		_ = build(6, 1)
	}
	close(release)
	t := 0
	for g := 1; g <= 10; g++ {
		t += <-sums
	}
	fmt.Println(t)
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	fmt.Println(ms.NumGC > 0, ms.Mallocs > ms.Frees, ms.HeapAlloc > 0)
}
