// run
// concurrent
// SPDX-License-Identifier: MIT

// A pipeline of stages with fan-out, fan-in and early cancellation.
package main

import (
	"fmt"
	"sync"
)

func source(done <-chan struct{}, n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := 1; i <= n; i++ {
			select {
			case out <- i:
			case <-done:
				return
			}
		}
	}()
	return out
}

func mapper(done <-chan struct{}, in <-chan int, f func(int) int) <-chan int {
	out := make(chan int, 3)
	go func() {
		defer close(out)
		for v := range in {
			select {
			case out <- f(v):
			case <-done:
				return
			}
		}
	}()
	return out
}

func merge(done <-chan struct{}, cs ...<-chan int) <-chan int {
	var wg sync.WaitGroup
	out := make(chan int)
	for _, c := range cs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for v := range c {
				select {
				case out <- v:
				case <-done:
					return
				}
			}
		}()
	}
	go func() { wg.Wait(); close(out) }()
	return out
}

func main() {
	done := make(chan struct{})
	sq := func(x int) int { return x * x }
	sum := 0
	for v := range mapper(done, mapper(done, source(done, 500), sq), func(x int) int { return x + 1 }) {
		sum += v
	}
	fmt.Println(sum)

	src := source(done, 1000)
	var parts []<-chan int
	for i := 0; i < 5; i++ {
		parts = append(parts, mapper(done, src, sq))
	}
	sum, n := 0, 0
	for v := range merge(done, parts...) {
		sum += v
		n++
	}
	fmt.Println(n, sum)

	early := make(chan struct{})
	var exited sync.WaitGroup
	exited.Add(3)
	stage := func(in <-chan int) <-chan int {
		out := make(chan int)
		go func() {
			defer exited.Done()
			defer close(out)
			for v := range in {
				select {
				case out <- v * 2:
				case <-early:
					return
				}
			}
		}()
		return out
	}
	c := stage(stage(stage(source(early, 1<<30))))
	for i := 0; i < 10; i++ {
		fmt.Print(<-c, " ")
	}
	close(early)
	exited.Wait()
	fmt.Println("all stages ended")
}
