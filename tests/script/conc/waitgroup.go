// run
// concurrent
// SPDX-License-Identifier: MIT

// WaitGroup: several waiters, reuse, nesting; its misuse panics.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func tree(depth int, wg *sync.WaitGroup, n *atomic.Int64) {
	defer wg.Done()
	n.Add(1)
	if depth == 0 {
		return
	}
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go tree(depth-1, wg, n)
	}
}

func main() {
	var wg sync.WaitGroup
	wg.Wait()
	var n atomic.Int64
	wg.Add(1)
	go tree(6, &wg, &n)
	wg.Wait()
	fmt.Println(n.Load())

	for round := 0; round < 20; round++ {
		res := make([]int, 50)
		wg.Add(len(res))
		for i := range res {
			go func() {
				res[i] = i * round
				wg.Done()
			}()
		}
		wg.Wait()
		sum := 0
		for _, v := range res {
			sum += v
		}
		if sum != 49*50/2*round {
			fmt.Println("round", round, sum)
		}
	}

	var gate, out sync.WaitGroup
	gate.Add(1)
	var passed atomic.Int32
	for i := 0; i < 30; i++ {
		out.Add(1)
		go func() {
			defer out.Done()
			gate.Wait()
			passed.Add(1)
		}()
	}
	fmt.Println(passed.Load())
	gate.Done()
	out.Wait()
	fmt.Println(passed.Load())
	wg.Go(func() { passed.Add(100) })
	wg.Wait()
	fmt.Println(passed.Load())

	func() {
		defer func() { fmt.Println(recover()) }()
		var bad sync.WaitGroup
		bad.Add(1)
		bad.Add(-2)
	}()
}
