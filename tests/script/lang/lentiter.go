// run
// SPDX-License-Identifier: MIT

// Functions all of whose results are one closure: it lives as long as somebody
// has it, whether its caller forgets it at once or not.
package main

import (
	"fmt"
	"iter"
	"runtime"
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

func adder(a, b string, k *int) func(string) string {
	return func(c string) string {
		*k++
		return a + b + c
	}
}

// counter has a variable of its own, which the closure shares.
func counter(from int) func() int {
	n := from * 2
	return func() int { n++; return n }
}

// two makes another closure, too, which the one has.
func two(n int) func(int) int {
	inner := func(v int) int { return v + n }
	return func(v int) int { return inner(v) * n }
}

// late calls itself by a variable.
func late(n int) func() int {
	var f func() int
	f = func() int {
		if n == 0 {
			return 1
		}
		n--
		return 1 + f()
	}
	return f
}

// named results, a loop of its own, and what may be returned besides.
func named(n int) (f func() int) {
	for v := range count(n) {
		n += v
	}
	return func() int { return n }
}

func either(n int) func() int {
	if n > 3 {
		return nil
	}
	return func() int { return n }
}

func twice(n int) (func() int, func() int) {
	f := func() int { n++; return n }
	return f, func() int { return f() + n }
}

type node struct {
	v    int
	next *node
}

func (l *node) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; l != nil; l = l.next {
			if !yield(l.v) {
				return
			}
		}
	}
}

func wide(a [4]int, s []int, e any, f float64) func(int) string {
	return func(i int) string { return fmt.Sprint(a[i%4], len(s), e, f) }
}

var kept iter.Seq[int]
var keptAll []iter.Seq[int]

func keep(n int) {
	s := count(n)
	kept = s
	for v := range s {
		if v == 2 {
			keptAll = append(keptAll, s)
		}
	}
}

func through(s iter.Seq[int]) iter.Seq[int] { return s }

func again(n int) iter.Seq[int] { return through(count(n)) }

func pass(n int) iter.Seq[int] { return count(n + 1) }

type holder struct{ s iter.Seq[int] }

func hold(n int) *holder { return &holder{count(n)} }

func rounds(n int) (t int) {
	var before iter.Seq[int]
	for i := 0; i < n; i++ {
		s := count(i)
		for v := range s {
			t += v
		}
		if before != nil {
			for v := range before {
				t += v * 100
			}
		}
		before = s
	}
	return t
}

func deferred(n int) (t int) {
	for i := range n {
		s := count(i)
		defer func() {
			for v := range s {
				t += v
			}
		}()
	}
	return 0
}

func started(n int) (t int) {
	c := make(chan int)
	for i := range n {
		s := count(i)
		go func() {
			runtime.Gosched()
			u := 0
			for v := range s {
				u += v
			}
			c <- u
		}()
	}
	for range n {
		t += <-c
	}
	return t
}

func main() {
	for round := range 30 {
		if round%10 == 9 {
			runtime.GC()
		}
		k, t := 0, 0
		for v := range count(round) {
			t += v
		}
		for v := range again(round) {
			t += v
		}
		for v := range pass(round) {
			t += v
		}
		keep(round)
		for v := range kept {
			t += v
		}
		for _, s := range keptAll {
			for v := range s {
				t += v
			}
		}
		h := hold(round)
		var l *node
		for v := range h.s {
			l = &node{v, l}
		}
		for v := range l.all() {
			t = t*3 + v
		}
		a := adder("x", "y", &k)("z") + adder("1", "2", &k)(a2)
		c, d := counter(round), counter(1)
		c()
		t += c() + d() + two(round)(k) + late(round)() + named(round)()
		if f := either(round); f != nil {
			t += f()
		}
		f, g := twice(round)
		t += f() + g() + f()
		next, stop := iter.Pull(count(round))
		for range 5 {
			v, ok := next()
			if ok {
				t += v
			}
		}
		stop()
		s := wide([4]int{1, 2, 3, round}, make([]int, round), "e", 0.5)(round)
		t += rounds(round) + deferred(round) + started(round%7)
		if round%6 == 5 {
			fmt.Println(a, k, t, s)
		}
	}
}

var a2 = "3"
