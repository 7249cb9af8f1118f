// run
// SPDX-License-Identifier: MIT

// Adaptors of iterators that may return before they have begun, in loops: what
// closures hold is known although there are ways on which they are not made, and
// closures of rounds before are called again, with what they held.
package main

import (
	"fmt"
	"iter"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func apply[T, U any](s iter.Seq[T], f func(T) U) iter.Seq[U] {
	return func(yield func(U) bool) {
		for v := range s {
			if !yield(f(v)) {
				return
			}
		}
	}
}

// take returns at once if n is no number of values.
func take[T any](s iter.Seq[T], n int) iter.Seq[T] {
	return func(yield func(T) bool) {
		if n <= 0 {
			return
		}
		i := 0
		for v := range s {
			if !yield(v) {
				return
			}
			if i++; i >= n {
				return
			}
		}
	}
}

// between goes on where each of its comparisons says so.
func between[T any](s iter.Seq[T], from, to int) iter.Seq[T] {
	return func(yield func(T) bool) {
		if from > to || to == 7 {
			return
		}
		if from < -5 {
			to = 2
		} else if to >= 1000 {
			from++
		}
		i := 0
		for v := range s {
			if i++; i <= from {
				continue
			}
			if i > to || !yield(v) {
				return
			}
		}
	}
}

// known has constants, which decide.
func known(k int) (t int) {
	for v := range take(apply(count(20), func(x int) int { return x*x + k }), 10) {
		t = t*3 + v
	}
	for v := range take(count(20), 0) {
		t += 1000*v + 1
	}
	for v := range between(count(20), 3, 2) {
		t += 10000 * v
	}
	for v := range between(count(20), 2, 7) {
		t += 100000 * v
	}
	for v := range between(count(20), -6, 1) {
		t = t*5 + v + k
	}
	for v := range between(count(20), 1, 1000) {
		t = t*7 + v - k
	}
	return t
}

// small asks for a number, big for two.
func small(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		t := 0
		if n < 5 {
			t |= 1
		}
		if n <= 5 {
			t |= 2
		}
		if n > 5 {
			t |= 4
		}
		if n >= 5 {
			t |= 8
		}
		yield(t)
	}
}

func big(n, m int) iter.Seq[int] {
	return func(yield func(int) bool) {
		t := 0
		if n < m {
			t |= 1
		}
		if n <= m {
			t |= 2
		}
		if uint(n) < uint(m) {
			t |= 4
		}
		if uint(n) <= uint(m) {
			t |= 8
		}
		if n == m {
			t |= 16
		}
		yield(t)
	}
}

func decided() (t int) {
	for i := 0; i < 3; i++ {
		for v := range small(4) {
			t = t*32 + v
		}
		for v := range small(5) {
			t = t*32 + v
		}
		for v := range small(6) {
			t = t*32 + v
		}
		for v := range big(4, 5) {
			t = t*31 + v
		}
		for v := range big(5, 5) {
			t = t*31 + v
		}
		for v := range big(6, 5) {
			t = t*31 + v
		}
		for v := range big(-6, 5) {
			t = t*31 + v
		}
	}
	return t
}

// merged has variables of which something else is known on two ways.
func merged(n int) (t int) {
	for k := 0; k < 4; k++ {
		mode, more := 0, 5
		if (n+k)%3 == 1 {
			mode = 1
		}
		if (n+k)%2 == 0 {
			more = 7
		}
		for v := range count(4) {
			if mode == 1 {
				t += 100 * v
			}
			if more == 7 {
				t += 10000
				more++
			}
			t += v
			if v == 2 {
				mode = 0
			}
		}
	}
	return t
}

// unknown has variables.
func unknown(n, from, to int) (t int) {
	for k := 0; k < 4; k++ {
		for v := range take(apply(count(20), func(x int) int { return x*x + k }), n-k) {
			t = t*3 + v
		}
		for v := range between(take(count(9), n), from+k, to) {
			t = t*5 + v + k
			if v == 6 {
				break
			}
		}
	}
	return t
}

// kept calls the closures of rounds before, which hold variables of their own.
func kept(n int) (t int) {
	var first, last func(int) int
	for k := 0; k < n; k++ {
		sum, step := k, 1
		add := func(x int) int {
			sum += x * step
			step++
			return sum
		}
		if k%3 == 1 {
			first = add
		}
		for v := range take(apply(count(5), add), k-2) {
			t = t*3 + v
		}
		if last != nil {
			t += last(k)
		}
		if first != nil {
			t += 2*first(1) + sum
		}
		if k&1 == 0 {
			last = add
		}
		t += add(k) + step
	}
	return t
}

type cell struct{ p *int }

// old has a variable's address in another one, of this round or one before.
func old(n int) (t int) {
	var was *cell
	for k := 0; k < n; k++ {
		x := k
		c := cell{&x}
		at := func(d int) int { x += d; return *c.p }
		if k%4 == 0 || was == nil {
			was = &c
		} else if k%4 == 2 {
			was.p, c.p = c.p, was.p
		}
		x += 10
		*was.p += 100
		t = t*3 + at(1) + x + *c.p - *was.p
	}
	return t
}

func main() {
	a, b, c, d := 0, 0, 0, 0
	for i := 0; i < 3000; i++ {
		a = a*31 + known(i) + decided()
		b = b*31 + unknown(i%13, i%5-1, i%11)
		c = c*31 + kept(i%12)
		d = d*31 + old(i%14) + merged(i)
	}
	fmt.Println(a, b, c, d)
}
