// run
// SPDX-License-Identifier: MIT

// The order in which sorts compare and exchange, and with it where equal
// elements end: folded into one number for each shape of input.

package main

import (
	"fmt"
	"math"
	"sort"
)

type pair struct{ k, i int }

// A record notes what is asked of it.
type record struct {
	x    []pair
	hash uint64
	n    int
}

func (r *record) note(op, i, j int) {
	r.n++
	for _, v := range []int{op, i, j} {
		r.hash = (r.hash ^ uint64(v)) * 1099511628211
	}
}
func (r *record) Len() int { return len(r.x) }
func (r *record) Less(i, j int) bool {
	r.note(1, i, j)
	return r.x[i].k < r.x[j].k
}
func (r *record) Swap(i, j int) {
	r.note(2, i, j)
	r.x[i], r.x[j] = r.x[j], r.x[i]
}

// An adversary decides what is less as it is asked, to make pivots bad
// (McIlroy, "A Killer Adversary for Quicksort").
type adversary struct {
	record
	solid, gas, candidate int
}

func (a *adversary) Less(i, j int) bool {
	a.note(1, i, j)
	x, y := &a.x[i], &a.x[j]
	if x.k == a.gas && y.k == a.gas {
		if x.i == a.candidate {
			x.k = a.solid
		} else {
			y.k = a.solid
		}
		a.solid++
	}
	if x.k == a.gas {
		a.candidate = x.i
	} else if y.k == a.gas {
		a.candidate = y.i
	}
	return x.k < y.k
}

var seed uint32 = 1

func draw(n int) int {
	seed = seed*1664525 + 1013904223
	return int(seed>>8) % n
}

var shapes = []struct {
	name string
	key  func(i, n int) int
}{
	{"random", func(i, n int) int { return draw(1 << 20) }},
	{"few", func(i, n int) int { return draw(4) }},
	{"equal", func(i, n int) int { return 7 }},
	{"sorted", func(i, n int) int { return i }},
	{"pairs", func(i, n int) int { return i / 2 }},
	{"reversed", func(i, n int) int { return n - i }},
	{"stairs down", func(i, n int) int { return (n - i) / 3 }},
	{"pipe", func(i, n int) int { return min(i, n-i) }},
	{"saw", func(i, n int) int { return i % 17 }},
	{"nearly", func(i, n int) int {
		if i%97 == 50 {
			return draw(n)
		}
		return i
	}},
	{"last moved", func(i, n int) int { return (i + n - 1) % n }},
	{"first moved", func(i, n int) int { return (i + 1) % n }},
}

func fill(n int, key func(i, n int) int) []pair {
	x := make([]pair, n)
	for i := range x {
		x[i] = pair{key(i, n), i}
	}
	return x
}

func clone(x []pair) []pair { return append([]pair{}, x...) }

func order(x []pair) (h uint64) {
	for _, p := range x {
		h = (h ^ uint64(p.i)) * 1099511628211
	}
	return h
}

func main() {
	for _, s := range shapes {
		for _, n := range []int{1, 8, 12, 13, 14, 21, 49, 50, 51, 64, 100, 257, 1000, 3000} {
			in := fill(n, s.key)
			unstable := record{x: clone(in)}
			sort.Sort(&unstable)
			stable := record{x: clone(in)}
			sort.Stable(&stable)
			slice := record{x: clone(in)}
			sort.Slice(slice.x, func(i, j int) bool { return slice.Less(i, j) })
			even := record{x: clone(in)}
			sort.SliceStable(even.x, func(i, j int) bool { return even.Less(i, j) })
			fmt.Printf("%s %d: %d %x %x, %d %x, %d %x %x, %d %x\n", s.name, n,
				unstable.n, unstable.hash, order(unstable.x),
				stable.n, stable.hash,
				slice.n, slice.hash, order(slice.x),
				even.n, even.hash)
		}
	}
	for _, n := range []int{13, 100, 1000, 5000} {
		a := &adversary{gas: n + 1}
		a.x = fill(n, func(i, n int) int { return n + 1 })
		sort.Sort(a)
		fmt.Printf("adversary %d: %d %x %x\n", n, a.n, a.hash, order(a.x))
	}

	// Zeros of either sign and NaNs of several kinds are equal, but not the
	// same.
	for _, n := range []int{5, 12, 13, 40, 60, 500, 4000} {
		for _, kinds := range []int{2, 4, 7} {
			x := make([]float64, n)
			for i := range x {
				switch k := draw(kinds); k {
				case 0:
					x[i] = 0
				case 1:
					x[i] = math.Copysign(0, -1)
				case 2, 3:
					x[i] = math.Float64frombits(0x7ff8000000000000 + uint64(draw(5)))
				default:
					x[i] = float64(k) - 5
				}
			}
			y := append([]float64{}, x...)
			sort.Float64s(x)
			sort.Sort(sort.Float64Slice(y))
			var h, g uint64
			for i := range x {
				h = (h ^ math.Float64bits(x[i])) * 1099511628211
				g = (g ^ math.Float64bits(y[i])) * 1099511628211
			}
			fmt.Printf("floats %d %d: %x %x\n", n, kinds, h, g)
		}
	}
	desc := make([]float64, 300)
	for i := range desc {
		desc[i] = math.Copysign(0, float64(i%3-1))
	}
	desc[0] = 1
	sort.Float64s(desc)
	for _, f := range desc[:60] {
		fmt.Print(math.Signbit(f), " ")
	}
	fmt.Println()
}
