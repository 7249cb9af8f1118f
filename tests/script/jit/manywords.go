// run
// SPDX-License-Identifier: MIT

// Variables of several words, of parts of one and with pointers, that the
// bodies of loops over functions share with the function around them: what is
// stored there is loaded again, by whomever, and is in memory where somebody
// looks.
package main

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
)

type pair struct {
	a, b int
}

type shape interface{ area() int }

func (p pair) area() int   { return p.a * p.b }
func (p *point) area() int { return p.x }

type point struct{ x, y int }

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// The iterator has captured a slice, a string and an interface.
func each(s []int, name string, sh shape) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, v := range s {
			if !yield(name, v+sh.area()) {
				return
			}
		}
	}
}

//go:noinline
func appends(n int) (int, int) {
	var a [8]int
	b := a[:0]
	var c []int
	for i := range count(n) {
		b = append(b, i*2)
		c = append(c[:len(c)/2], b...)
		if len(b) > 5 {
			b = b[2:]
		}
	}
	return len(c), b[len(b)-1] + a[1]
}

//go:noinline
func text(n int) (string, string) {
	s, t := "", "x"
	for i := range count(n) {
		s, t = t, s
		if i%3 == 0 {
			s = s + t[:len(t)/2]
		}
		if len(s) > 8 {
			s = s[3:]
		}
		if len(t) < 3 {
			t += "yz"
		}
	}
	return s, t
}

//go:noinline
func faces(n int) (int, shape) {
	var sh shape = pair{2, 3}
	var last shape
	sum := 0
	for i := range count(n) {
		last = sh
		switch i % 3 {
		case 0:
			sh = &point{i, 1}
		case 1:
			sh = pair{i, i}
		}
		sum += sh.area() - last.area()
	}
	return sum, last
}

//go:noinline
func parts(n int) (bool, int32, uint8, float32, float64) {
	found := false
	var i32 int32
	var u8 uint8
	var f32 float32
	var f64 float64
	for i := range count(n) {
		if found {
			i32 -= int32(i)
		} else {
			i32 += int32(i) * 3
		}
		found = i%5 == 2
		u8 += uint8(i32)
		f32 = f32/2 + float32(u8)
		f64 += float64(f32)
	}
	return found, i32, u8, f32, f64
}

//go:noinline
func pointers(n int) int {
	p := &point{1, 2}
	q := p
	sum := 0
	for i := range count(n) {
		if i%4 == 3 {
			q = &point{i, sum & 7}
		}
		p, q = q, p
		p.x++
		sum += p.x*3 + q.y
		if i == n/2 {
			runtime.GC()
		}
	}
	return sum + p.x + q.x
}

//go:noinline
func structs(n int) (pair, [3]int) {
	var p pair
	var a [3]int
	for i := range count(n) {
		p.a += i
		p.b, p.a = p.a, p.b+1
		a[i%3] += p.a
		if i&15 == 9 {
			p = pair{p.b, i}
		}
	}
	return p, a
}

// All is loaded at once, between stores of parts.
//
//go:noinline
func halves(n int) (int, pair) {
	var p pair
	s := 0
	for i := range count(n) {
		p.b = i
		p.a = s
		q := p
		p.b = 0
		s += q.b + q.a&3
		p.b = s
		p.b = 7
	}
	return s, p
}

// A panic in the middle: what has been stored before is there, in memory.
//
//go:noinline
func stops(at int) (s []int, t string, err any) {
	defer func() { err = recover() }()
	d := 7
	for i := range count(100) {
		s = append(s, i)
		t = fmt.Sprint("at ", i)
		d = 12 / (at - i)
	}
	return s, fmt.Sprint(d), nil
}

//go:noinline
func nilPointer(at int) (n int, err any) {
	var p *point
	last := &point{}
	func() {
		defer func() { err = recover() }()
		for i := range count(100) {
			p = last
			if i == at {
				p = nil
			}
			p.x += i
			last = p
			n = last.x
		}
	}()
	return n + last.x, err
}

// Two at once share a variable, and a goroutine is made that has it.
//
//go:noinline
func shared(n int) int {
	s := make([]int, 0, 4)
	grow := func(k int) { s = append(s, k) }
	for i := range count(n) {
		grow(i)
		for j := range count(i & 3) {
			s = s[:len(s)-1]
			grow(j)
			s = append(s, len(s))
		}
		if len(s) > 40 {
			s = slices.Clone(s[30:])
		}
	}
	done := make(chan int)
	go func() { done <- len(s) + cap(s[:0:0]) }()
	return <-done + s[len(s)-1]
}

func main() {
	for i := range 400 {
		n := 40 + i%7
		a, b := appends(n)
		s, t := text(n)
		f, sh := faces(n)
		c, d, e, g, h := parts(n)
		ps, ar := structs(n)
		sum := 0
		for k, v := range each([]int{1, n, 3}, s, sh) {
			sum = sum*3 + v + len(k)
			t = k + t
		}
		if i%57 == 56 {
			fmt.Println(a, b, s, t, f, sh.area(), c, d, e, g, h)
			fmt.Println(pointers(n), ps, ar, sum, shared(n))
			fmt.Println(halves(n))
			fmt.Println(stops(n % 20))
			fmt.Println(nilPointer(n % 11))
		}
	}
}
