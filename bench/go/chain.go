// SPDX-License-Identifier: MIT

// A chain of 2,000 goroutines, each of which adds one to what passes through.
package main

func link(in <-chan int, out chan<- int) {
	for v := range in {
		out <- v + 1
	}
	close(out)
}

func main() {
	const links, values = 2000, 100
	first := make(chan int)
	last := first
	for range links {
		next := make(chan int)
		go link(last, next)
		last = next
	}
	go func() {
		for i := range values {
			first <- i
		}
		close(first)
	}()
	sum := 0
	for v := range last {
		sum += v
	}
	println(sum)
}
