// run
// SPDX-License-Identifier: MIT

// What is spliced in reads slots that nobody has assigned: behind the arguments
// of a closure's call. Before its frame there need not be memory for them, so
// the loop around it is run at every distance from the end of a stack.
package main

import "fmt"

var sink map[int]int

//go:noinline
func twice(x int) int { return 2 * x }

// A few words that need a function of C.
func look(k int) int { return sink[k&7] }

// mix calls back and then has many values at a time.
func mix(f func(int) int, x int) int {
	s := 0
	for i := 0; i < 2; i++ {
		s += f(x + i)
		a, b, c, d := s+i, s-i, s*3, s^5
		e, g, h := a*b, c-d, a^d
		s += (a+e)*(b^g) + c*h - d&e
	}
	return s
}

//go:noinline
func loop(f func(int) int, n int) int {
	s := 0
	for i := 0; i < n; i++ {
		s += look(i)
		s ^= mix(f, i)
	}
	return s & 0xffff
}

func down(depth int) int {
	if depth == 0 {
		return loop(twice, 3)
	}
	var pad [5]int
	pad[depth%5] = depth
	return down(depth-1) ^ pad[(depth+1)%5]
}

func main() {
	sink = map[int]int{1: 2, 3: 4, 5: 6}
	loop(twice, 100000)
	sum := 0
	for depth := range 600 {
		c := make(chan int)
		go func() { c <- down(depth) }()
		sum = sum*31 + <-c
	}
	fmt.Println(sum)
}
