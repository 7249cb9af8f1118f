// SPDX-License-Identifier: MIT

package sort

// Search returns the smallest i in [0, n) for which f(i) is true, n if there
// is none; f must be false and then true over the range.
func Search(n int, f func(int) bool) int {
	lo, hi := 0, n
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if f(m) {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return lo
}

// Find returns the smallest i in [0, n) for which cmp(i) <= 0, n if there is
// none, and whether cmp(i) == 0 there; cmp must not increase over the range.
func Find(n int, cmp func(int) int) (i int, found bool) {
	lo, hi := 0, n
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if cmp(m) > 0 {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, lo < n && cmp(lo) == 0
}

// SearchInts returns the index of x in the sorted a, or where to insert it.
func SearchInts(a []int, x int) int {
	lo, hi := 0, len(a)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if a[m] < x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// SearchFloat64s returns the index of x in the sorted a, or where to insert
// it.
func SearchFloat64s(a []float64, x float64) int {
	lo, hi := 0, len(a)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if a[m] >= x {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return lo
}

// SearchStrings returns the index of x in the sorted a, or where to insert
// it.
func SearchStrings(a []string, x string) int {
	lo, hi := 0, len(a)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if a[m] < x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}
