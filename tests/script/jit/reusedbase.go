// run
// SPDX-License-Identifier: MIT

// A closure whose address has been in a slot that something else takes on one of
// two ways that meet: it is to be found by the other slots that have it.
package main

import "fmt"

var kept func() int

//go:noinline
func mix(n int) int { return n*5 ^ n>>3 }

func other(n int) (s int) {
	for i := range n {
		a, b := i+1, i*2
		g := func() int { return a }
		if i < 0 { // so that it is allocated
			kept = g
			return s
		}
		h := g
		if i%3 == 0 {
			g = func() int { return b + 5 }
			if i < 0 {
				kept = g
				return s
			}
			s += g()
		}
		s += mix(s&255 + i)
		s += h()
		s ^= mix(i)
		s += h()
	}
	return s
}

func number(n int) (s int) {
	for i := range n {
		var h func() int
		a, k := i+1, 0
		h, k = func() int { return a }, i
		if i < 0 {
			kept = h
			return s
		}
		if i%3 != 0 {
			s += mix(k*3 + i)
		}
		s += h()
		s ^= mix(i)
		s += h()
	}
	return s
}

func main() {
	for _, n := range []int{0, 1, 2, 10, 1000, 30000} {
		fmt.Println(other(n), number(n))
	}
}
