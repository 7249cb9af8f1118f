// run
// SPDX-License-Identifier: MIT

// Variables that loops over functions share with the functions that run their
// bodies: machine code keeps them in registers beside their memory, and must
// find them there and here whoever assigns them.
package main

import (
	"fmt"
	"iter"
	"runtime"
	"strings"
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

func filter(s iter.Seq[int], f func(int) bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		for v := range s {
			if f(v) && !yield(v) {
				return
			}
		}
	}
}

func mapped[T, U any](s iter.Seq[T], f func(T) U) iter.Seq2[T, U] {
	return func(yield func(T, U) bool) {
		for v := range s {
			if !yield(v, f(v)) {
				return
			}
		}
	}
}

// careless goes on when it has been told to stop.
func careless(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			yield(i)
		}
	}
}

//go:noinline
func sum(n int) (s int) {
	for v := range count(n) {
		s += v
	}
	return
}

//go:noinline
func floats(n int) float64 {
	x, y := 1.5, 0
	for v := range count(n) {
		x += float64(v) * .5
		y++
	}
	return x * float64(y)
}

//go:noinline
func filtered(n int) int {
	s := 0
	for v := range filter(filter(count(n), func(i int) bool { return i%3 != 0 }),
		func(i int) bool { return i&1 == 0 }) {
		s = s*7 + v
	}
	return s & 0xffffff
}

//go:noinline
func broken(n int) int {
	last, s := -1, 0
	for v := range count(n) {
		if v%5 == 4 {
			continue
		}
		if v > n/2 {
			break
		}
		last = v
		s ^= v
	}
	return last*1000 + s
}

//go:noinline
func returns(n int) (int, string) {
	s := 0
	for a := range count(n) {
		for b := range count(a) {
			s += b
			if s > 5000 {
				return a*1000 + b, "from within"
			}
		}
	}
	return s, "behind"
}

//go:noinline
func labels(n int) int {
	s := 0
outer:
	for a, q := range mapped(count(n), func(i int) int { return i * i }) {
		for b := range count(n) {
			switch {
			case b > a:
				continue outer
			case q > 300:
				break outer
			}
			s += q + b
		}
	}
	return s
}

//go:noinline
func keep(p *int) { *p += 3 }

// The body calls what is not spliced in, which assigns the variable, too.
//
//go:noinline
func called(n int) int {
	s, t := 0, 0
	add := func(k int) { t += k }
	for v := range count(n) {
		s += v
		if v%7 == 0 {
			keep(&s)
		}
		add(s & 3)
		if v%50 == 0 {
			t += len(fmt.Sprint(s, t))
		}
	}
	return s*31 + t
}

// The variable is kept by another goroutine.
//
//go:noinline
func escapes(n int) int {
	s := 0
	c, d := make(chan int), make(chan bool)
	go func() {
		for v := range c {
			s += v
			d <- true
		}
		close(d)
	}()
	for v := range count(n) {
		s ^= 1
		c <- v
		<-d
	}
	close(c)
	<-d
	return s
}

type list struct {
	next *list
	v    int
}

// Pointers in variables, while the collector runs.
//
//go:noinline
func pointers(n int) int {
	var l *list
	name := ""
	for v := range count(n) {
		l = &list{l, v}
		if v%64 == 0 {
			name = fmt.Sprint(v)
			runtime.GC()
		}
	}
	s := len(name)
	for ; l != nil; l = l.next {
		s = s*3 + l.v
	}
	return s & 0xffffff
}

//go:noinline
func deep(n int) int {
	var pad [40]int
	pad[n%40] = n
	if n > 0 {
		pad[0] += deep(n - 1)
	}
	return pad[0] + pad[n%40]
}

// The stack grows and moves within the body.
//
//go:noinline
func grows(n int) int {
	s, last := 0, 0
	for v := range count(n) {
		last = deep(v % 60)
		s += last
	}
	return s ^ last
}

var kept *[3]int

// What is allocated takes a function of C now and then.
//
//go:noinline
func allocates(n int) int {
	s, t, u := 0, 1, 2.5
	for v := range count(n) {
		s += v
		kept = &[3]int{v, s, t}
		t += kept[1] - s + v
		u += float64(s)
		kept = &[3]int{t}
		s ^= kept[0] & 7
		t++
	}
	return s*3 + t + int(u)
}

// A variable for each round, kept by closures.
//
//go:noinline
func rounds(n int) int {
	var fs []func() int
	for v := range count(n) {
		k := v * 2
		fs = append(fs, func() int { k += v; return k })
	}
	s := 0
	for _, f := range fs {
		s += f()*2 + f()
	}
	return s
}

//go:noinline
func nested(n int) int {
	s, p := 0, 1
	for a := range count(n) {
		t := a
		for b := range filter(count(a), func(i int) bool { p ^= i; return i != t/2 }) {
			t += b
			s += t & 15
		}
		s ^= t
	}
	return s*100 + p
}

func try(what string, f func()) {
	defer func() {
		r := fmt.Sprint(recover())
		fmt.Println(what, strings.TrimPrefix(r, "runtime error: "))
	}()
	f()
}

//go:noinline
func panics(n int) (s int) {
	defer func() { recover(); s = -s }()
	for v := range count(n) {
		s += v
		if v == n-1 {
			var l *list
			s += l.v
		}
	}
	return
}

//go:noinline
func divides(x []int, d int) int {
	s, at := 0, 0
	defer func() { fmt.Println("at", at, recover(), s) }()
	for v := range count(1000) {
		at = v
		s += x[v] / (d - v)
	}
	return s
}

//go:noinline
func goesOn(n int) int {
	s := 0
	for v := range careless(n) {
		s += v
		if v == n/2 {
			break
		}
	}
	return s
}

// The same loop by several functions that are called back.
//
//go:noinline
func either(f func(func(int) bool), n int) int {
	s := 0
	for v := range f {
		s += v
		if s > n {
			break
		}
	}
	return s
}

func main() {
	for r := range 300 {
		n := r + 20
		h := sum(n) + int(floats(n)) + filtered(n) + broken(n) + labels(n%40)
		a, where := returns(n)
		h += a + len(where) + called(n) + rounds(n) + nested(n%50)
		if r%20 == 0 {
			h += escapes(n) + pointers(n) + grows(n)
			fmt.Println(n, h)
		}
		h = either(count(n), 1000) + either(filter(count(n),
			func(i int) bool { return i > 3 }), 2000) + panics(n)
		if r%50 == 0 {
			fmt.Println(h, where)
			try("goes on", func() { fmt.Println(goesOn(n)) })
			divides(make([]int, 1000), n)
			divides(make([]int, 10), n)
		}
	}
	// Long enough for others to run meanwhile.
	go func() {
		for {
			runtime.Gosched()
		}
	}()
	fmt.Println(allocates(100000))
	fmt.Println(sum(20000000), filtered(3000000), broken(1000000))
}
