// run
// SPDX-License-Identifier: MIT

// Variables that closures share, and that hold one of few numbers where ways meet:
// what they are compared with is known sometimes, and what is left on either way.
// Others hold more numbers than are told apart, too large ones, or what somebody
// else has stored.
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

func pass(s iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		for v := range s {
			if !yield(v) {
				return
			}
		}
	}
}

// The body leaves in more ways than are told apart.
func ways(n, k int) (r int) {
	for i := 0; i < 2; i++ {
	b:
		for j := 0; j < 2; j++ {
		c:
			for l := 0; l < 2; l++ {
				for v := range pass(count(n)) {
					r += v
					switch v {
					case k:
						break
					case k + 1:
						continue c
					case k + 2:
						break c
					case k + 3:
						continue b
					case k + 4:
						break b
					case k + 5:
						return r + 1000
					case k - 1:
						goto end
					}
				}
				r += 100
			}
			r += 10000
		}
		r += 1000000
	}
end:
	return r
}

// One of two, of three, of four, of five; of each comparison both answers.
func few(n int, a, b bool) (r int) {
	x, y, z := 0, 0, -1
	for v := range count(n) {
		switch v % 5 {
		case 1:
			x = 1
		case 2:
			x = 2
		case 3:
			x = 3
		case 4:
			x = 4
		}
		if a {
			y = 30
		}
		if b {
			z = 31
		}
	}
	if x == 1 {
		r += 1
	}
	if x < 2 {
		r += 2
	} else if x > 3 {
		r += 4
	}
	if x != 0 {
		r += 8
		if x != 4 {
			r += 16
		}
	}
	if y == 30 {
		r += 32
	} else if y == 0 {
		r += 64
	} else {
		r += 1 << 20
	}
	if y >= 30 {
		r += 128
	}
	if z < 0 {
		r += 256
	} else if z == 31 {
		r += 512
	} else {
		r += 1 << 21
	}
	return r
}

// What is left of three on either way.
func left(n int) (r int) {
	x := 0
	for v := range count(n) {
		switch {
		case v == 3:
			x = 1
		case v == 6:
			x = 2
		}
	}
	if x == 0 {
		return 1
	}
	r = 10
	if x != 1 {
		r += 100
		if x == 2 {
			r += 1000
		} else {
			r += 10000
		}
		return r
	}
	if x == 2 {
		r += 100000
	}
	return r
}

//go:noinline
func set(p *int, x int) { *p = x }

// Somebody else stores there.
func shared(n, other int) (r int) {
	x, ok := 0, false
	for v := range count(n) {
		x, ok = 1, true
		if v == 7 {
			set(&x, other)
		}
	}
	if x == 0 {
		r = 1
	}
	if x == 1 {
		r += 2
	}
	if x == other {
		r += 4
	}
	if ok {
		r += 8
	}
	return r
}

// It is another one in each round, by what it has been.
func rounds(n int) (r int) {
	x := 0
	for range n {
		for v := range count(3) {
			switch x {
			case 0:
				x = 1
			case 1:
				x = 2
			case 2:
				if v == 1 {
					x = 0
				} else {
					x = 3
				}
			default:
				x = 0
			}
		}
		r = r*4 + x
		if x == 3 {
			r++
		}
	}
	return r
}

func main() {
	for k := range 12 {
		t := 0
		for i := 0; i < 300; i++ {
			t += ways(k, i%9-1)
		}
		fmt.Println(t)
	}
	for i := 0; i < 1200; i++ {
		n := i % 7
		f := few(n, i%2 == 0, i%3 == 0)
		l, s, r := left(i%9), shared(i%10, i%4), rounds(i%13)
		if i >= 1170 {
			fmt.Println(f, l, s, r)
		}
	}
}
