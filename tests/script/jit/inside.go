// run
// SPDX-License-Identifier: MIT

// Loops over functions that begin while all is interpreted, and each of which
// is begun once only: machine code that has spliced in the functions around is
// entered where the loop is, in the frames that are there already.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
)

const many = 30000

type seq[T any] func(func(T) bool)

func count(n int) seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func filter[T any](s seq[T], f func(T) bool) seq[T] {
	return func(yield func(T) bool) {
		for v := range s {
			if f(v) && !yield(v) {
				return
			}
		}
	}
}

func apply[T, U any](s seq[T], f func(T) U) seq[U] {
	return func(yield func(U) bool) {
		for v := range s {
			if !yield(f(v)) {
				return
			}
		}
	}
}

func take[T any](s seq[T], n int) seq[T] {
	return func(yield func(T) bool) {
		left := n
		for v := range s {
			if left == 0 || !yield(v) {
				return
			}
			left--
		}
	}
}

func pairs(n int) func(func(int, float64) bool) {
	return func(yield func(int, float64) bool) {
		x := 0.5
		for i := range n {
			if !yield(i, x) {
				return
			}
			x += 0.25
		}
	}
}

// sum shares a variable with the loop's body.
func sum() int {
	s := 0
	for v := range count(many) {
		s += v
	}
	return s
}

// several has variables of all kinds, most of them used behind the loop only.
func several(name string, f float64) (string, float64, int, []int) {
	a, b, c := 1, 2.5, name+"!"
	var kept []int
	p := &a
	for v := range filter(count(many), func(x int) bool { return x%3 == 1 }) {
		a += v
		b += float64(v) * f
		if v%7000 == 1 {
			kept = append(kept, v)
			c += "."
		}
	}
	*p += len(c)
	return c, b, a, kept
}

// deep has four of them, one in another.
func deep() (n int, last string) {
	s := apply(take(filter(count(10*many), func(x int) bool { return x&1 == 0 }),
		many), func(x int) string { return "ab"[x&2/2 : 1+x&2/2] })
	for v := range s {
		n += len(v)
		last = v
	}
	return n, last
}

func floats() (float64, int) {
	t, k := 0.0, 0
	for i, x := range pairs(many) {
		t += x
		k ^= i
	}
	return t, k
}

// leaves leaves the loops by all ways out.
func leaves(how int) (r string) {
	defer func() { r += fmt.Sprint(" deferred ", recover()) }()
	n := 0
outer:
	for v := range count(many) {
		for w := range count(4) {
			n += w
			switch {
			case v < many-10:
				continue
			case how == 0:
				break outer
			case how == 1:
				return fmt.Sprint("returned ", v, w, n)
			case how == 2:
				panic(fmt.Sprint("panicked ", v, w, n))
			case how == 3:
				var z int
				fmt.Sprint(v / z)
			case how == 4 && w == 2:
				continue outer
			}
		}
	}
	return fmt.Sprint("ended ", n)
}

func dig(n int) int {
	if n == 0 {
		return 1
	}
	var room [20]int
	room[n%20] = n
	return dig(n-1) + room[n%20] - n
}

// moves has its stack moved, grown and taken back while it is in the loop.
func moves() int {
	s := 0
	for v := range filter(count(many), func(x int) bool { return x&1 == 1 }) {
		s += v
		if v%5001 == 0 {
			s += dig(v / 10)
			runtime.GC()
		}
		if v%777 == 0 {
			runtime.Gosched()
		}
	}
	return s
}

// others calls the same iterator with one body after another, of which machine
// code knows but one.
func others(all ...func(int) bool) {
	for _, f := range all {
		count(many)(f)
	}
}

// around is a loop in the iterator's own body, and one around it.
func around() int {
	s := 0
	for i := 0; i < 3; i++ {
		for v := range count(many / 3) {
			for k := 0; k < 5; k++ {
				s += k * i
			}
			s += v
		}
	}
	return s
}

// again is given the function over which it has a loop: not always the one
// that it is spliced in for.
func again(s seq[int]) (n int) {
	for v := range s {
		n += v
	}
	return n
}

// late is called after the end by whoever kept the body.
func late() (r string) {
	defer func() { r = fmt.Sprint(recover()) }()
	var kept func(int) bool
	n := 0
	for v := range seq[int](func(yield func(int) bool) {
		for i := 0; i < many; i++ {
			if !yield(i) {
				break
			}
		}
		kept = yield
	}) {
		n += v
	}
	kept(n)
	return "nothing"
}

// goes is an iterator that goes on after the body has said no.
func goes() (r string) {
	defer func() { r = fmt.Sprint(recover()) }()
	n := 0
	for v := range seq[int](func(yield func(int) bool) {
		for i := 0; i < many; i++ {
			yield(i)
		}
	}) {
		n += v
		if v == many-2 {
			break
		}
	}
	return fmt.Sprint("nothing ", n)
}

func main() {
	fmt.Println(sum())
	fmt.Println(several("name", 1.5))
	fmt.Println(deep())
	fmt.Println(floats())
	for how := range 6 {
		fmt.Println(leaves(how))
	}
	fmt.Println(moves())
	a, b, c := 0, 1, "c"
	others(func(x int) bool { a += x; return true },
		func(x int) bool { b ^= x; return x < many/2 },
		func(x int) bool { c = strings.Repeat("d", x%5); return true })
	fmt.Println(a, b, c)
	fmt.Println(around())
	fmt.Println(again(count(many)), again(filter(count(many),
		func(x int) bool { return x%5 == 0 })), again(func(yield func(int) bool) {
		_ = yield(1) && yield(2)
	}))
	fmt.Println(late())
	fmt.Println(goes())

	var wg sync.WaitGroup
	res := make([]int, 8)
	for i := range res {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for v := range filter(count(many), func(x int) bool { return x%8 == i }) {
				res[i] += v
			}
		}()
	}
	wg.Wait()
	fmt.Println(res)
}
