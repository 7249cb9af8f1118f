// run
// SPDX-License-Identifier: MIT

// Closures that are called some calls after they have been made: where their
// makers had them in their frames, these calls have had something else.
package main

import (
	"fmt"
	"runtime"
)

func counter[T any](step func(T) T) func(T) (T, int) {
	n := 0
	return func(t T) (T, int) {
		n++
		return step(t), n
	}
}

func adder(n int) func(int) int {
	sum := n
	return func(k int) int {
		sum += k
		return sum
	}
}

//go:noinline
func other(a, b, c, d, e, f, g, h, i, j, k, l int) int {
	if a == 77 {
		runtime.GC()
	}
	return a + b + c + d + e + f + g + h + i + j + k + l
}

//go:noinline
func strings(k int) (string, int) {
	d := counter(func(s string) string { return s + "!" })
	x := other(k, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	s, n := d("hey")
	x += other(k, x, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	s, m := d(s)
	return s, n + m*10 + x*100
}

//go:noinline
func numbers(k int) int {
	d := counter(func(n int) int { return n * 2 })
	e := adder(k)
	x := other(k, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	y, n := d(x)
	y += e(x)
	var a any = y
	x = other(k, n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	z, m := d(x)
	return y + n*10 + z*100 + m*1000 + e(a.(int))
}

func main() {
	sum := 0
	for k := range 3000 {
		s, n := strings(k)
		sum += len(s) + n + numbers(k)
		if k%1000 == 0 {
			fmt.Println(s, n, numbers(k), sum)
		}
	}
	fmt.Println(sum)
}
