// SPDX-License-Identifier: MIT

// A close in a function with type parameters, of a named type of channels, races
// with a send by another name.
package main

import "runtime"

type queue chan int32

func end[C ~chan T, T any](c C) {
	defer close(c)
}

func main() {
	c := make(queue, 1)
	go func(out chan<- int32) {
		out <- 1
	}(c)
	for len(c) == 0 {
		runtime.Gosched()
	}
	end(c)
}
