// run
// SPDX-License-Identifier: MIT

// What machine code knows of the instruction just before: an answer that is in
// the flags while others ask for it later, a number that is small on one way and
// not on another, variables that are assigned what they have already.
package main

import (
	"fmt"
	"math"
)

//go:noinline
func later(a, b int) (r int) {
	ok := a < b
	y := ok
	if y {
		r++
	}
	if ok {
		r += 2
	}
	z := ok
	if !z {
		r += 4
	}
	return
}

func less(a, b int) bool { return a < b }

func both(a, b int) (bool, bool) {
	x := less(a, b)
	return x, x != (a == 3)
}

//go:noinline
func spliced(a, b int) (r int) {
	x, y := both(a, b)
	if x {
		r++
	}
	if y {
		r += 2
	}
	k := less(b, a)
	keep := k
	if k {
		r += 4
	}
	if keep != x {
		r += 8
	}
	return
}

//go:noinline
func kept(v []int, n int, out []bool) (r int) {
	for i, x := range v {
		ok := x < n
		out[i] = ok
		if ok {
			r++
		}
	}
	return
}

//go:noinline
func some(c bool, a uint64) (uint64, uint64, float64) {
	u := a
	if c {
		u = uint64(uint32(a))
	}
	q := u / 7
	w := a
	if !c {
		w = uint64(uint32(a) * 3)
	}
	f := float64(w)
	v := a
	for range 2 {
		if c {
			v = uint64(uint32(v))
		}
		q ^= v % 1000003
		v = v<<33 | v
	}
	return q, v, f
}

func each(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

//go:noinline
func look(f func() int) int { return f() }

// x has what it is assigned, or is read in another function meanwhile.
func again(n int) (sum int) {
	for k := range 3 {
		x, y := 0, 0.5
		get := func() int { return x*10 + int(y) }
		for i := range each(n) {
			x = i
			x = 1
			y = 2
			if i%3 == k {
				y = 2
				x = 1
				sum += look(get)
			}
			x = 1
			if i%5 == 0 {
				x = 1
				sum += look(get)
				x = 0
			}
			y = float64(i)
			x = 7
		}
		sum += look(get)
	}
	return
}

// The same in a loop that is left while x waits.
func left(n int) (sum int, last any) {
	var x *int
	var s string
	for i := range each(n) {
		v := i
		x = &v
		s = fmt.Sprint("s", i)
		if i%4 == 1 {
			continue
		}
		if i == n-2 {
			break
		}
		x, s = &sum, ""
		sum += i
	}
	return *x + sum, s
}

func main() {
	out := make([]bool, 5)
	for range 3000 {
		for a := range 4 {
			for b := range 4 {
				later(a, b)
				spliced(a, b)
			}
		}
		kept([]int{3, 1, 4, 1, 5}, 3, out)
		some(true, math.MaxUint64)
		some(false, math.MaxUint64-3)
	}
	for a := range 4 {
		for b := range 4 {
			fmt.Print(later(a, b), spliced(a, b), " ")
		}
	}
	fmt.Println(kept([]int{3, 1, 4, 1, 5}, 3, out), out)
	for _, a := range []uint64{0, 1, 6, 7, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1,
		1 << 63, 1<<63 + 12345, math.MaxUint64} {
		fmt.Println(some(true, a))
		fmt.Println(some(false, a))
	}
	fmt.Println(again(4000))
	fmt.Println(left(4000))
}
