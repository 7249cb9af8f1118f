// run
// SPDX-License-Identifier: MIT

// Arrays in the frame, whose elements are found by an index that is computed
// here and by a constant there, beside variables in registers.
package main

import "fmt"

func both(n int) (a [3]int, s int) {
	for i := range n {
		a[i%3] += i
		a[2] ^= a[(i+1)%3]
		if i%5 == 0 {
			a[0] = a[2] + 1
			s += a[i%2+1]
		}
		a[1]++
	}
	return
}

func floats(n int) ([4]float64, float64) {
	a := [4]float64{1, .5, .25, .125}
	s := 0.
	for i := range n {
		a[3] = a[i&3]/2 + float64(i&7)
		a[(i+1)&3] -= a[3] / 4
		s += a[0]*a[1] - a[i&3]
	}
	return a, s
}

type pair struct {
	n    int
	vals [2]int
	last int
}

func inside(n int) pair {
	p := pair{n: 1, last: -1}
	for i := range n {
		p.vals[i&1] += p.n
		p.n = p.vals[1] - p.last
		p.last ^= p.vals[(i>>1)&1] + i
		p.vals[0] &= 1<<20 - 1
	}
	return p
}

// An array that is only read, of constants: none of them is in a register.
func days(n int) (s int) {
	for i := range n {
		s = s*31%1000003 + [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 29}[i%12]
	}
	return
}

// The same slots are of an array and of other variables.
func turns(n int) (s int) {
	for i := range n {
		if i&1 == 0 {
			var a [3]int
			a[i%3], a[2] = i, s
			s += a[(i+s&1)%3] & 0xffff
		} else {
			x, y, z := i, s, i^s
			for range 3 {
				x, y, z = y+1, z^x, x&0xff
			}
			s ^= (x + y + z) & 0xffff
		}
	}
	return
}

func main() {
	for _, n := range []int{0, 1, 2, 7, 5000} {
		a, s := both(n)
		b, t := floats(n)
		fmt.Println(n, a, s, b, t, inside(n), days(n), turns(n))
	}
}
