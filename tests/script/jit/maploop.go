// run
// SPDX-License-Identifier: MIT

// Loops over functions that iterate over maps: whether there is another entry
// is for a function of C to say, and variables that the body shares are loaded
// behind it, numbers as well as floats.
package main

import (
	"fmt"
	"maps"
	"slices"
)

func values(m map[string]float64) func(func(float64) bool) {
	return func(yield func(float64) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}

//go:noinline
func sums(m map[string]float64) (float64, int, int) {
	f, g, n := 0.0, 1.0, 0
	var all []float64
	for v := range values(m) {
		f += v
		f += g * v
		g = -g*f + f
		g, f = 1, f-g*v
		n += n ^ len(all)
		n &= 7
		all = append(all, v)
		all = append(all[:len(all)-1], v)
	}
	return f, n, len(all)
}

func main() {
	m := map[string]float64{}
	for i := range 9 {
		m[fmt.Sprint(i)] = float64(i) / 4
	}
	last := ""
	for i := range 500 {
		f, n, k := sums(m)
		s := fmt.Sprint(f > 8.9, n >= 0, k,
			slices.Sorted(maps.Keys(m)), slices.Sorted(maps.Values(m)))
		if s != last {
			fmt.Println(i, s)
		}
		last = s
	}
}
