// SPDX-License-Identifier: MIT

package slices

import (
	"cmp"
	"sort"
)

// Sort sorts x in increasing order, NaNs first.
func Sort[S ~[]E, E cmp.Ordered](x S) {
	// These three have natives.
	switch s := any([]E(x)).(type) {
	case []int:
		sort.Ints(s)
	case []float64:
		sort.Float64s(s)
	case []string:
		sort.Strings(s)
	default:
		quickSortOrdered(x, 0, len(x), badPivots(len(x)))
	}
}

// SortFunc sorts x by cmp, which returns a negative number where a is before
// b; equal elements may change places.
func SortFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	quickSortFunc(x, cmp, 0, len(x), badPivots(len(x)))
}

// SortStableFunc sorts x by cmp and keeps the order of equal elements.
func SortStableFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	stableFunc(x, cmp, len(x))
}

// IsSorted reports whether x is in increasing order.
func IsSorted[S ~[]E, E cmp.Ordered](x S) bool {
	for i := len(x) - 1; i > 0; i-- {
		if cmp.Less(x[i], x[i-1]) {
			return false
		}
	}
	return true
}

// IsSortedFunc reports whether x is sorted by cmp.
func IsSortedFunc[S ~[]E, E any](x S, cmp func(a, b E) int) bool {
	for i := len(x) - 1; i > 0; i-- {
		if cmp(x[i], x[i-1]) < 0 {
			return false
		}
	}
	return true
}

// Min returns the least element of x, a NaN where there is one. It panics if
// x is empty.
func Min[S ~[]E, E cmp.Ordered](x S) E {
	if len(x) == 0 {
		panic("slices.Min: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		m = min(m, v)
	}
	return m
}

// MinFunc returns the first of the least elements of x by cmp. It panics if x
// is empty.
func MinFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	if len(x) == 0 {
		panic("slices.MinFunc: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		if cmp(v, m) < 0 {
			m = v
		}
	}
	return m
}

// Max returns the greatest element of x, a NaN where there is one. It panics
// if x is empty.
func Max[S ~[]E, E cmp.Ordered](x S) E {
	if len(x) == 0 {
		panic("slices.Max: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		m = max(m, v)
	}
	return m
}

// MaxFunc returns the first of the greatest elements of x by cmp. It panics if
// x is empty.
func MaxFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	if len(x) == 0 {
		panic("slices.MaxFunc: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		if cmp(v, m) > 0 {
			m = v
		}
	}
	return m
}

// BinarySearch looks for target in the sorted x: where it is, or where it
// would have to go, and whether it is there.
func BinarySearch[S ~[]E, E cmp.Ordered](x S, target E) (int, bool) {
	return BinarySearchFunc(x, target, cmp.Compare[E])
}

// BinarySearchFunc is BinarySearch in an x that is sorted by cmp, which is
// given an element and the target.
func BinarySearchFunc[S ~[]E, E, T any](x S, target T, cmp func(E, T) int) (int, bool) {
	lo, hi := 0, len(x)
	for lo < hi {
		if c := int(uint(lo+hi) >> 1); cmp(x[c], target) < 0 {
			lo = c + 1
		} else {
			hi = c
		}
	}
	return lo, lo < len(x) && cmp(x[lo], target) == 0
}
