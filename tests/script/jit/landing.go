// run
// SPDX-License-Identifier: MIT

// Bodies of loops over functions that machine code has left in the middle, as
// the stack is too short for a call in them, and that return to it: whether
// they go on or not, and whether the loop is begun again behind them.
package main

import "fmt"

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func filter(s func(func(int) bool), keep func(int) bool) func(func(int) bool) {
	return func(yield func(int) bool) {
		for v := range s {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
}

//go:noinline
func deep(n int) int {
	var a [8]int
	if n <= 0 {
		return 1
	}
	a[n&7] = n
	return deep(n-1) + a[n&7] - n
}

//go:noinline
func breaks(n, size int) (s int) {
	for i := range count(n) {
		if i == n-3 {
			break
		}
		s += i * deep(i*size)
	}
	for i := range count(n) {
		s += i * deep((n-i)*size)
		if i == n-4 {
			break
		}
		if i&1 == 0 {
			continue
		}
		s += deep(i * size)
	}
	return s
}

//go:noinline
func returns(n, size int) (s int) {
	for i := range filter(count(n), func(i int) bool { return deep(i*size) == i%3 }) {
		s += deep(i*size*2) + i
		if s > 20 {
			return s * deep(size)
		}
	}
	for i := range count(n) {
		for j := range count(n) {
			if j == i {
				break
			}
			s += deep(j * size)
			if s > 50 {
				return s + deep(i*size)
			}
		}
	}
	return -s
}

func all(n int, f func(int) bool) bool {
	for i := 0; i < n; i++ {
		if !f(i) {
			return false
		}
	}
	return true
}

// Begun while all is interpreted, and goes on in machine code.
//
//go:noinline
func once(n int) (x int) {
	for range 3 {
		if !all(n, func(i int) bool { x += i & 3; return i < 70000 }) {
			x = -x
		}
		x += 5
	}
	return x
}

func main() {
	fmt.Println(once(60000), once(80000), once(50000))
	for _, size := range []int{0, 1, 30} {
		sum := 0
		for k := range 40 {
			done := make(chan int)
			go func() { done <- breaks(12+k%3, size) + returns(12+k%5, size) }()
			sum = sum*3 + <-done
			sum %= 1000003
		}
		fmt.Println(size, sum)
	}
	sum := 0
	for range 2000 {
		sum += breaks(12, 0) + returns(14, 1)
	}
	fmt.Println(sum)
}
