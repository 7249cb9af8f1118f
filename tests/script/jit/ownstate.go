// run
// SPDX-License-Identifier: MIT

// What a loop over a function notes, its state and where its body asked to go, are
// words of the body's closure, which change: also where nobody sees who calls it,
// where closures of loops inside reach them, where one of these is kept although
// the outermost is not, and where the body is called when it must not be.
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

func apply(s iter.Seq[int], f func(int) int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for v := range s {
			if !yield(f(v)) {
				return
			}
		}
	}
}

func take(s iter.Seq[int], n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		i := 0
		for v := range s {
			if i >= n {
				return
			}
			i++
			if !yield(v) {
				return
			}
		}
	}
}

//go:noinline
func hidden(s iter.Seq[int], yield func(int) bool) { s(yield) }

// Nobody knows whom it calls.
func through(s iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) { hidden(s, yield) }
}

func sums(n int) (s int) {
	for v := range take(apply(count(100), func(x int) int { return 3 * x }), n) {
		s += v
	}
	return s
}

// The body returns, in a loop of which the function sees no more than the call.
func find(s iter.Seq[int], x int) int {
	for v := range s {
		if v == x {
			return 10 * v
		}
	}
	return -1
}

// Ways out of two and of three loops.
func nested(a, b iter.Seq[int], stop int) string {
	var t strings.Builder
outer:
	for v := range a {
		for w := range b {
			for u := range count(3) {
				switch {
				case u+w+v == stop:
					break outer
				case w == v+1:
					continue outer
				case w > v && stop%2 == 0:
					return t.String() + "!"
				case u == 2:
					break
				}
				fmt.Fprint(&t, v, w, u, ";")
			}
		}
		fmt.Fprint(&t, "|")
	}
	return t.String()
}

var kept []func(int) bool

func keeps(s iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		kept = append(kept, yield)
		s(yield)
	}
}

// The outer body's closure stays here; the inner one is kept.
func keepsInner(n int) (s int) {
	for v := range count(n) {
		for w := range keeps(count(v + 1)) {
			if w == 3 {
				return 1000 + s
			}
			s += w
		}
	}
	return s
}

func catch(f func()) {
	defer func() {
		fmt.Println("caught:", recover())
	}()
	f()
}

func misuse(n int) {
	for v := range keeps(count(n)) {
		if v == 5 {
			break
		}
	}
}

// It goes on although the body has said no.
func deaf(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			yield(i)
		}
	}
}

// It catches what the body panics with.
func calm(yield func(int) bool) {
	defer func() { recover() }()
	for i := 0; ; i++ {
		yield(i)
	}
}

func uncaught(n int) {
	for v := range calm {
		if v == n {
			panic("seven")
		}
	}
}

// What is captured, in an order of its own: words that are no pointers between
// pointers, and headers of strings and slices.
func mixed(s iter.Seq[int], name string, k int, list []int, p *int) (t string, n int) {
	f := float64(k)
	for v := range s {
		if v%16 == 7 {
			runtime.Gosched()
		}
		q := p
		for w := range count(v % 3) {
			n += k + list[w%len(list)] + *q
			list = append(list, w)
			f += 0.5
		}
		t = name + t[:len(t)/2]
		if f > 40 {
			return t, n + 1
		}
	}
	return t, n
}

func deferred(s iter.Seq[int], out *[]int) {
	for v := range s {
		defer func() { *out = append(*out, v) }()
		if v == 3 {
			return
		}
	}
}

// Many closures in one loop, with collections in between.
func churn(n int) (s int) {
	for i := range count(n) {
		for v := range take(through(count(10)), i%7) {
			s += v
			_ = make([]byte, 100)
		}
		if i%500 == 499 {
			runtime.GC()
		}
	}
	return s
}

func pulled(n int) (s int) {
	next, stop := iter.Pull(take(through(count(n)), n/2))
	defer stop()
	for {
		v, ok := next()
		if !ok {
			return s
		}
		s += v
	}
}

func main() {
	t := 0
	for i := 0; i < 3000; i++ {
		t += sums(i % 50)
		t += find(count(20), i%25)
		t += find(through(count(20)), i%25)
		t += find(through(take(through(count(20)), 10)), i%25)
	}
	fmt.Println(t)
	for i := 0; i < 400; i++ {
		a, b := count(i%4), count(i%5)
		s := nested(a, b, i%8)
		if u := nested(through(a), through(b), i%8); u != s {
			fmt.Println("differ:", i, s, u)
		}
		if u := nested(a, through(b), i%8); u != s {
			fmt.Println("differ:", i, s, u)
		}
		if i%57 == 0 {
			fmt.Println(s)
		}
	}
	t = 0
	for i := 0; i < 300; i++ {
		t += keepsInner(1 + i%7)
		catch0 := func() (r any) {
			defer func() { r = recover() }()
			kept[len(kept)-1](1)
			return nil
		}
		if i%100 == 6 {
			fmt.Println(catch0())
		}
		kept = kept[:1]
	}
	fmt.Println(t)
	for i := 0; i < 3; i++ {
		kept = nil
		misuse(4 + 4*i)
		catch(func() { kept[0](0) })
		catch(func() { find(deaf(9), 2+4*i) })
		catch(func() { uncaught(7) })
	}
	x := 3
	for i := 0; i < 60; i++ {
		u, n := mixed(count(i), "ab", i, []int{1, 2}, &x)
		w, m := mixed(through(count(i)), "ab", i, []int{1, 2}, &x)
		if u != w || n != m {
			fmt.Println("differ:", i, u, n, w, m)
		}
		if i%20 == 19 {
			fmt.Println(u, n)
		}
	}
	var out []int
	for i := 0; i < 6; i++ {
		deferred(count(i), &out)
		deferred(through(count(i)), &out)
	}
	fmt.Println(out)
	fmt.Println(churn(2000), pulled(500))
}
