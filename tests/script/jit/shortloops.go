// run
// SPDX-License-Identifier: MIT

// Loops over functions that are short and begin again and again: neither their
// closures nor the addresses of their variables are there until machine code is
// left, which happens seldom, in all places and for all reasons.
package main

import (
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// A loop calls its body with more than a number, and what it captures is on the
// heap.
func each[T any](x []T, by *int) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := 0; i < len(x); i += *by {
			if !yield(i, x[i]) {
				return
			}
		}
	}
}

func caught(fn func()) (msg string) {
	defer func() {
		if e := recover(); e != nil {
			msg = fmt.Sprint(e)
		}
	}()
	fn()
	return "fine"
}

// Of many short loops a few are left, in each place where they can be.
func divides(r, by int) (s int) {
	for k := range r {
		for v := range count(3) {
			s += 100 / (v + k - by)
		}
	}
	return s
}

func indexes(r int, x []int) (s int) {
	for k := range r {
		for v := range count(3) {
			s += x[k+v]
		}
	}
	return s
}

func deep(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + deep(n-1)
}

// The stack grows within a body.
func grows(r int) (s int) {
	for k := range r {
		for v := range count(3) {
			s += v
			if k%1000 == 999 && v == 1 {
				s += deep(2000 + k)
			}
		}
	}
	return s
}

type node struct {
	next *node
	v    int
}

// Objects that only closures and their variables know, while there is a
// collection.
func collects(r int) (s int) {
	for k := range r {
		n := &node{nil, k}
		by := 1
		for i, w := range each([]*node{n, {n, 2}, {n, 3}}, &by) {
			if k%500 == 499 && i == 1 {
				runtime.GC()
				by = 2
			}
			if w.next != nil {
				s += w.next.v
			}
			s += w.v + n.v
			n = &node{n, i}
		}
		for n.next != nil {
			n = n.next
			s++
		}
	}
	return s
}

// A variable of a body gets out, sometimes.
func leaves(r int) (s int) {
	var kept []*int
	var fns []func() int
	for k := range r {
		t := k
		for v := range count(3) {
			u := v + t
			t += u
			if k%700 == 1 {
				kept = append(kept, &u)
				fns = append(fns, func() int { t++; return t + u })
			}
		}
		s += t
	}
	for i, p := range kept {
		*p += i
		s += *p + fns[i]()
	}
	return s
}

// Another iterator in the place of the usual one.
func takes(r int) (s int) {
	seqs := []iter.Seq[int]{count(3), count(2), func(yield func(int) bool) {
		_ = yield(7) && yield(8)
	}}
	for k := range r {
		for v := range seqs[k%97%3] {
			s += v ^ k
		}
	}
	return s
}

// Out of nested bodies in all ways.
func nested(r int) (s int) {
outer:
	for k := range r {
		for v := range count(3) {
			for w := range count(3) {
				switch {
				case k%101 == 7 && v == 1 && w == 1:
					continue outer
				case k%103 == 8 && w == 2:
					break
				case k == r-2 && v == 2:
					break outer
				case k%107 == 9 && v == 1:
					goto next
				case s < 0:
					return -1
				}
				s += v*w + k
			}
		}
	next:
		s++
	}
	return s
}

func deferred(r int) (s int) {
	for k := range r {
		for v := range count(3) {
			if k%400 == 3 {
				defer func() { s += v + k }()
			}
			s += v
		}
	}
	return s
}

// Calls of C within a body, and a native that calls back.
func strs(r int) (s int) {
	for k := range r {
		for v := range count(3) {
			if v == 1 && k%50 == 0 {
				s += len(strings.Repeat("x", k%7)) + strings.IndexFunc("abcd", func(c rune) bool { return int(c-'a') == k%5 })
			}
			s += v
		}
	}
	return s
}

var stop = errors.New("stop")

func fails(seq iter.Seq[int], at int) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("%v after %v", e, err)
		}
	}()
	for v := range seq {
		if v == at {
			panic(stop)
		}
	}
	return nil
}

//go:noinline
func call(fn func()) { fn() }

// A variable that is made anew each time, which others look at at once.
func zeros(r int) (s int) {
	for k := range r {
		t := 0
		call(func() { t += k })
		s += t
		for v := range count(2) {
			u := 0
			call(func() { u += v + t })
			s += u
		}
	}
	return s
}

// What it has captured is needed in another order than it is made of.
func between(a, b, c, d int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := d; i < c; i += b {
			if !yield(i - a) {
				return
			}
		}
	}
}

func spans(r int) (s int) {
	for k := range r {
		for v := range between(k&1, k&1+1, k+4, k) {
			s += v
		}
	}
	return s
}

// Goes on after its loop has ended.
func goesOn(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				yield(i + 1)
			}
		}
	}
}

func breaks(r int) (s int) {
	for k := range r {
		for v := range goesOn(3) {
			s += v
			if k == 2000 && v == 1 {
				break
			}
		}
	}
	return s
}

func lines(r int) (n int) {
	for k := range r {
		for v := range count(2) {
			if k == r-1 && v == 1 {
				var pc [20]uintptr
				m := runtime.Callers(1, pc[:])
				frames := runtime.CallersFrames(pc[:m])
				for {
					f, more := frames.Next()
					if strings.HasPrefix(f.Function, "main.") {
						fmt.Println(f.Line)
					}
					if !more {
						break
					}
				}
			}
			n += v
		}
	}
	return n
}

func main() {
	fmt.Println(caught(func() { divides(3000, 2001) }), caught(func() { divides(3000, 3000) }), divides(3000, -1))
	x := make([]int, 2000)
	for i := range x {
		x[i] = i
	}
	fmt.Println(caught(func() { indexes(1999, x) }), indexes(1998, x), caught(func() { indexes(1, nil) }))
	fmt.Println(grows(5000), collects(5000), leaves(5000), takes(5000), nested(5000), deferred(5000), strs(5000))
	fmt.Println(fails(count(5000), 4000), fails(count(10), 20), fails(goesOn(3), 1))
	fmt.Println(caught(func() { breaks(3000) }), breaks(2000))
	fmt.Println(lines(3000))
	fmt.Println(zeros(3000), spans(3000))
	done := make(chan int)
	for i := range 4 {
		go func() {
			n := 0
			for k := range 200000 {
				for v := range count(3) {
					n += v ^ k&i
				}
			}
			done <- n
		}()
	}
	sum := 0
	for range 4 {
		sum += <-done
		sum += collects(600)
	}
	fmt.Println(sum)
}
