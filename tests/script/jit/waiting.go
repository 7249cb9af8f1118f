// run
// SPDX-License-Identifier: MIT

// Variables that bodies of loops over functions assign, in rounds that may be
// left at any time: by growing what is appended to, by a collection, by panics,
// by indexes out of range, and by calls of what is not known.  Whoever looks at
// them then sees what has been assigned last.
package main

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"time"
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

func filter[T any](s iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range s {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
}

// appends grows three slices, of which the words wait, beside other variables.
func appends(n int) (int, []int, []string, []byte) {
	var a []int
	var b []string
	var c []byte
	sum := 0
	for v := range count(n) {
		a = append(a, v*3)
		sum += len(a) * v
		if v%7 == 0 {
			b = append(b, "x")
		}
		c = append(c, byte(v))
	}
	return sum, a, b, c
}

// cut makes the slice shorter by itself, and one word of it is asked for.
func cut(n int) (t int) {
	s := make([]int, 0, 4)
	for v := range count(n) {
		s = append(s, v)
		if len(s) > 9 {
			s = s[5:7]
		}
		t += cap(s)*0 + len(s)
	}
	return t + s[:1][0] + len(s)
}

// floats and strings and interfaces wait, too.
func mixed(n int) (float64, string, any, *int) {
	f, s := 0.5, "a"
	var e any = 1
	var p *int
	for v := range filter(count(n), func(v int) bool { return v%3 != 1 }) {
		f = f*0.75 + float64(v)
		if len(s) > 5 {
			s = s[1:4]
		}
		s += string(rune('a' + v%26))
		if v%5 == 0 {
			e = s
			x := v
			p = &x
		}
	}
	return f, s, e, p
}

// last is assigned in the body alone, and asked for by who recovers.
func last(a []int, n int) (got, sum int) {
	at := -1
	func() {
		defer func() {
			if recover() != nil {
				got = 1000 + at
			}
		}()
		for v := range count(n) {
			at = v
			sum += a[v]
		}
	}()
	return got, sum + at
}

// inner panics out of the loop, without a frame that would recover in between.
func inner(a []int, n int, sum *int) {
	t, u := 0, 1
	for v := range count(n) {
		t += a[v] / (9 - v)
		u = t ^ v
		*sum = u
	}
	*sum = t
}

func caught(n int) (s string) {
	sum := 0
	defer func() { s = fmt.Sprint(recover() != nil, " ", sum) }()
	inner([]int{5, 4, 3, 2, 1, 6, 7, 8, 9, 10, 11, 12}, n, &sum)
	return
}

//go:noinline
func look(p *int) int { return *p }

var sink []func() int

// closures are kept, called and forgotten, in rounds with others that are not.
func closures(n int) (t int) {
	k := 0
	for v := range count(n) {
		k += v
		add := func() { t += k }
		add()
		if v%50 == 7 {
			w := k
			sink = append(sink, func() int { w++; return w + v })
		}
		if v%64 == 3 {
			t += look(&w0)
			runtime.GC()
		}
	}
	return t
}

var w0 = 3

// some is made on one way only, in a slot that others use before.
func some(n int) (t int) {
	for i := 0; i < n; i++ {
		x := i * 2
		if i%3 == 1 {
			sum, n := 0, 0
			for v := range count(i % 5) {
				sum += v ^ x
				n++
			}
			t += sum*10 + n
		} else {
			y := x + 1
			t += y
		}
		for v := range count(2) {
			t += v
		}
	}
	return t
}

// leaves goes on in many ways behind the body.
func leaves(n, k int) (r int) {
	seen := 0
outer:
	for i := range count(n) {
		for j := range count(n) {
			seen += i ^ j
			switch {
			case j == k:
				continue outer
			case i*j == 12:
				break outer
			case i+j == 15:
				return seen
			case j > 5:
				goto end
			}
		}
	end:
		seen++
	}
	return -seen
}

// long is interrupted by collections and by the other goroutine.
func long(stop *bool) (int, int) {
	a, b := 0, 1
	var s []int
	for v := range count(3000000) {
		a += b
		b ^= v
		if v%1000 == 0 {
			s = append(s, a)
		}
	}
	*stop = true
	return a, len(s) + s[2999]
}

func shared() (int, int) {
	stop := false
	done := make(chan bool)
	go func() {
		for i := 0; i < 20; i++ {
			runtime.GC()
			time.Sleep(100 * time.Microsecond)
		}
		done <- true
	}()
	a, b := long(&stop)
	<-done
	return a, b
}

// rest has calls behind the loop, where the variable is in memory again.
func rest(n int) string {
	var b strings.Builder
	total := 0
	for i, v := range slices.All([]int{3, 1, 4, 1, 5}) {
		total = total*7 + v + i*n
	}
	fmt.Fprint(&b, total)
	for v := range count(n) {
		total -= v
		if v == 3 {
			fmt.Fprint(&b, " ", total)
		}
	}
	fmt.Fprint(&b, " ", total)
	return b.String()
}

func main() {
	for i := range 60 {
		s, a, b, c := appends(i * 5)
		t := cut(i*3 + 1)
		if i%20 == 19 {
			fmt.Println(s, len(a), len(b), len(c), a[i], c[len(c)-1], t+cut(11))
		}
	}
	for i := range 40 {
		f, s, e, p := mixed(i)
		if i%13 == 12 {
			fmt.Println(f, s, e, *p)
		}
	}
	a := make([]int, 100)
	for i := range a {
		a[i] = i * i
	}
	for n := 90; n < 110; n++ {
		got, sum := last(a, n)
		if n%5 == 0 {
			fmt.Println(got, sum)
		}
	}
	for n := range 14 {
		s := caught(n)
		if n > 7 {
			fmt.Println(s)
		}
	}
	fmt.Println(closures(400), len(sink))
	t := 0
	for _, f := range sink {
		t = t*3 + f() + f()
	}
	fmt.Println(t, some(300))
	for n := range 12 {
		fmt.Print(leaves(n, 30), " ", leaves(n, n-2), " ")
	}
	fmt.Println()
	fmt.Println(shared())
	for n := range 9 {
		if s := rest(n); n > 5 {
			fmt.Println(s)
		}
	}
}
