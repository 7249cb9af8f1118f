// run
// SPDX-License-Identifier: MIT
package main

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
)

// Functions that return iterators over other ones, which keep their bodies or do
// not: what is known of an argument decides where the closures of loops are.

type seq = iter.Seq[int]

func count(n int) seq {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func three(yield func(int) bool) {
	_ = yield(1) && yield(2) && yield(3)
}

func mapped(s seq, f func(int) int) seq {
	return func(yield func(int) bool) {
		for x := range s {
			if !yield(f(x)) {
				return
			}
		}
	}
}

func filtered[T any](s iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		s(func(v T) bool {
			return !keep(v) || yield(v)
		})
	}
}

func take(s seq, n int) seq {
	return func(yield func(int) bool) {
		i := 0
		for x := range s {
			if i >= n {
				return
			}
			i++
			if !yield(x) {
				return
			}
		}
	}
}

// Both of its iterators; what it has seen is on the heap where that is kept.
func zip(a, b seq) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		next, stop := iter.Pull(b)
		defer stop()
		for x := range a {
			y, ok := next()
			if !ok || !yield(x, y) {
				return
			}
		}
	}
}

func chain(a, b seq) seq {
	return func(yield func(int) bool) {
		for x := range a {
			if !yield(x) {
				return
			}
		}
		for x := range b {
			if !yield(-x) {
				return
			}
		}
	}
}

var kept func(int) bool

// Keeps the body.
func keeper(n int) seq {
	return func(yield func(int) bool) {
		kept = yield
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// Keeps what it gives to its argument.
func sly(s seq) seq {
	return func(yield func(int) bool) {
		n := 0
		for x := range s {
			n += x
			p := &n
			saved = append(saved, p)
			if !yield(n) {
				return
			}
		}
	}
}

var saved []*int

// Its parameter is another one when the loop begins.
func swapped(s seq, other bool) seq {
	if other {
		s = keeper(3)
	}
	return func(yield func(int) bool) {
		total := 0
		for x := range s {
			total += x
			if !yield(total) {
				return
			}
		}
	}
}

func again(s seq, n int) seq {
	if n == 0 {
		return s
	}
	return again(mapped(s, func(x int) int { return x + n }), n-1)
}

func down(s seq, n int) seq {
	return func(yield func(int) bool) {
		sum := 0
		for x := range s {
			sum += x
			if n > 0 {
				for y := range down(take(s, 2), n-1) {
					sum += y
				}
			}
			if !yield(sum) {
				return
			}
		}
	}
}

type list struct{ v []int }

func (l *list) all(yield func(int) bool) {
	for _, x := range l.v {
		if !yield(x) {
			return
		}
	}
}

func (l *list) twice(s seq) seq {
	return func(yield func(int) bool) {
		c := 0
		for x := range s {
			c += x
			if !yield(c) || !yield(len(l.v)) {
				return
			}
		}
	}
}

func double(x int) int { return 2 * x }

func sums(n int) (t int) {
	for x := range take(mapped(count(100), double), n) {
		t += x
	}
	it := take(filtered(three, func(x int) bool { return x != 2 }), n)
	for x := range it {
		t = t*3 + x
	}
	for x := range chain(take(count(n), 3), it) {
		t = t*3&0xffff + x
	}
	for x, y := range zip(count(n), mapped(three, double)) {
		t += x * y
	}
	l := &list{[]int{n, 2, 3}}
	for x := range mapped(l.all, double) {
		t += x
	}
	for x := range l.twice(take(count(9), n)) {
		t ^= x
	}
	for x := range again(count(4), n&3) {
		t += x
	}
	for x := range down(count(3), 2) {
		t += x
	}
	return t
}

func late(s seq) (msg any) {
	defer func() { msg = recover() }()
	t := 0
	for x := range s {
		t += x
		if x > 3 {
			break
		}
	}
	runtime.GC()
	kept(t)
	return t
}

func early(n int) (r int, msg any) {
	defer func() { msg = recover() }()
	c := 0
	for x := range take(mapped(count(50), func(x int) int { return 100 / (n - x) }), 40) {
		c++
		r += x
		if n > 7 && c > 3 {
			return r * 1000, nil
		}
	}
	return r, "none"
}

var global = take(mapped(three, double), 2)

func leaks(n int) (all []func() int) {
	for x := range take(mapped(count(n), double), 3) {
		all = append(all, func() int { x++; return x })
	}
	return
}

func main() {
	t := 0
	for i := 0; i < 300; i++ {
		t = t*5&0xffffff + sums(i%6)
	}
	fmt.Println(t)
	fmt.Println(late(take(mapped(keeper(9), double), 4)))
	fmt.Println(late(mapped(take(keeper(9), 5), double)))
	fmt.Println(late(filtered(swapped(three, true), func(int) bool { return true })))
	fmt.Println(late(chain(three, mapped(keeper(7), double))))
	for i := range 12 {
		fmt.Println(early(i))
	}
	for x := range sly(take(count(4), 3)) {
		t += x
	}
	runtime.GC()
	for _, p := range saved {
		t = t*7&0xffff + *p
	}
	fmt.Println(t, len(saved))
	for x := range global {
		t += x
	}
	for _, f := range leaks(5) {
		f()
		t = t*3 + f()
	}
	fmt.Println(t, slices.Collect(take(mapped(slices.Values([]int{4, 5, 6}), double), 2)))
	held := take(filtered(count(100), func(x int) bool { return x&1 == 1 }), 5)
	done := make(chan int)
	for range 3 {
		go func() {
			s := 0
			for range 200 {
				for x := range mapped(held, double) {
					s += x
				}
			}
			done <- s
		}()
	}
	fmt.Println(<-done, <-done, <-done)
	next, stop := iter.Pull(mapped(held, double))
	a, _ := next()
	runtime.GC()
	b, _ := next()
	stop()
	fmt.Println(a, b)
}
