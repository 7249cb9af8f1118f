// run
// SPDX-License-Identifier: MIT

// Keys that differ from themselves cannot be deleted, but they can be cleared:
// then a range that has begun does not come to them, whether the map has grown
// meanwhile or not.
package main

import "math"

func nans(n int) map[float64]int {
	m := map[float64]int{}
	for i := range n {
		m[math.NaN()] = i
	}
	return m
}

func visits(n, more int) (seen int) {
	m := nans(n)
	for range m {
		if seen++; seen > 1 {
			continue
		}
		for range more {
			m[math.NaN()] = -1
		}
		clear(m)
	}
	return seen
}

func kept(n, more int) (old int) {
	m := nans(n)
	for _, v := range m {
		if v < 0 {
			continue
		}
		if old++; old > 1 {
			continue
		}
		for range more {
			m[math.NaN()] = -1
		}
	}
	return old
}

func main() {
	for _, n := range []int{1, 7, 8, 9, 100, 1000, 5000} {
		for _, more := range []int{0, 1, 100, 20000} {
			println(n, more, visits(n, more), kept(n, more))
		}
	}
}
