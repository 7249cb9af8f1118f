// run
// SPDX-License-Identifier: MIT

// Closures and variables that are made once, before a loop: they are in memory where
// somebody looks, in the loop or behind it, and not before.
package main

import (
	"fmt"
	"iter"
	"runtime"
)

func upto(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func pairs(n int, s []string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i := 0; i < n; i++ {
			if !yield(i, s[i%len(s)]) {
				return
			}
		}
	}
}

type list struct {
	v    int
	next *list
}

func (l *list) all() iter.Seq[*list] {
	return func(yield func(*list) bool) {
		for ; l != nil; l = l.next {
			if !yield(l) {
				return
			}
		}
	}
}

var sink []byte

// An index fails in the loop, and who recovers sees what has been done.
func fails(a []int, n int) (s int, err any) {
	done := 0
	defer func() {
		err = recover()
		s += 1000 * done
	}()
	s = within(a, n, &done)
	return s, nil
}

func within(a []int, n int, done *int) (s int) {
	t := 0
	for v := range upto(n) {
		t += a[v]
		*done = t
	}
	return t
}

// Collections, and a stack that grows, while it is in the loop.
func looks(l *list, n int) (s int) {
	name := "n"
	for p := range l.all() {
		s += p.v
		if p.v%5 == 3 {
			sink = make([]byte, 1<<10)
			runtime.GC()
		}
		if p.v%7 == 6 {
			s += deep(n)
		}
		name += "x"
	}
	return s + len(name)
}

func deep(n int) int {
	var a [100]int
	if n == 0 {
		return 1
	}
	a[n%100] = n
	return deep(n-1) + a[n%100]
}

// It is made on one way only, and the loop is on both.
func sometimes(n int, b bool) (s int) {
	x := 1
	add := func(k int) { s += k * x }
	if b {
		for v := range upto(n) {
			x = v
			add(2)
		}
	}
	for i := 0; i < n; i++ {
		s += i ^ x
		if i == 9 {
			add(5)
		}
	}
	return s
}

// Two loops share what the first one has stored.
func twice(n int, names []string) (t string, s int) {
	k, last := 0, ""
	for i, name := range pairs(n, names) {
		if i == 7 {
			runtime.Gosched()
		}
		k += i
		last = name
	}
	for i, name := range pairs(k%11, names) {
		if name == last {
			s += k
			continue
		}
		if i > 8 {
			return last + name, -s
		}
		k++
	}
	return last, s + k
}

// The closure is called by others behind the loop.
func handed(n int) int {
	s, c := 0, 0
	f := func(v int) bool {
		s += v
		c++
		return c < 6
	}
	upto(n)(f)
	if n > 4 {
		call(f)
	}
	return s*100 + c
}

//go:noinline
func call(f func(int) bool) { f(1000) }

func main() {
	a := make([]int, 20)
	var l *list
	for i := range a {
		a[i] = i * i
		l = &list{i, l}
	}
	t := 0
	for i := 0; i < 2000; i++ {
		s, err := fails(a, i%24)
		if (err != nil) != (i%24 > 20) {
			fmt.Println(i, err)
		}
		t += s
	}
	fmt.Println(t)
	fmt.Println(fails(a, 23))
	t = 0
	for i := 0; i < 40; i++ {
		t += looks(l, 30*i)
	}
	fmt.Println(t)
	for i := 0; i < 1500; i++ {
		s, u := sometimes(i%17, i%3 == 0), handed(i%9)
		w, v := twice(i%23, []string{"a", "bc", "d"})
		if i >= 1480 {
			fmt.Println(s, u, w, v)
		}
	}
}
