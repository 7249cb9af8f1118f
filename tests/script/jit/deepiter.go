// run
// SPDX-License-Identifier: MIT

// Iterators over iterators, deeper than machine code splices them in, in loops
// that begin again and again, and are left in the middle of each.
package main

import (
	"fmt"
	"iter"
)

func from(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := n; ; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func apply[A, B any](s iter.Seq[A], f func(A) B) iter.Seq[B] {
	return func(yield func(B) bool) {
		for v := range s {
			if !yield(f(v)) {
				return
			}
		}
	}
}

func filter[T any](s iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range s {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
}

func take[T any](s iter.Seq[T], n int) iter.Seq[T] {
	return func(yield func(T) bool) {
		if n <= 0 {
			return
		}
		for v := range s {
			if !yield(v) {
				return
			}
			if n--; n == 0 {
				return
			}
		}
	}
}

func odd(v int) bool     { return v&1 != 0 }
func inc(v int) int      { return v + 1 }
func less(v int) bool    { return v < 1000000 }
func half(v int) float64 { return float64(v) / 2 }

func two(n int) (t int) {
	for v := range take(apply(from(1), func(v int) int { return v*v + n }), n) {
		t += v
	}
	return t
}

func four(n int) (t int) {
	for v := range take(filter(apply(filter(from(n), odd), inc), less), n) {
		t = t*3 + v
		if t > 1<<40 {
			t %= 1000
		}
	}
	return t
}

func seven(n, last int) (t float64) {
	s := apply(apply(filter(apply(filter(from(n), less), inc), odd), inc), half)
	for v := range take(filter(s, func(v float64) bool { return v != 3 }), n) {
		t += v
		if int(v) == last {
			break
		}
	}
	return t
}

func main() {
	a, b, c := 0, 0, 0.0
	for i := range 300 {
		a += two(i)
		b ^= four(i)
		c += seven(i, 200)
	}
	fmt.Println(a, b, c)
	fmt.Println(two(100000), four(100000), seven(100000, 1<<30))
}
