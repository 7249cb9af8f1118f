// SPDX-License-Identifier: MIT

// Package cmp compares ordered values.
package cmp

// Ordered is implemented by the types that have <, <=, > and >=.
type Ordered interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 |
		~string
}

// Less reports whether x is below y, a NaN being below all other values.
func Less[T Ordered](x, y T) bool {
	return x < y || (x != x && y == y)
}

// Compare returns -1, 0 or +1 where x is below, equal to or above y. A NaN is
// equal to a NaN and below all other values; -0.0 equals 0.0.
func Compare[T Ordered](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return +1
	case x == y:
		return 0
	}
	// One of them is a NaN.
	if x == x {
		return +1
	}
	if y == y {
		return -1
	}
	return 0
}

// Or returns the first of its arguments that is not the zero value, which it
// returns where there is none.
func Or[T comparable](vals ...T) T {
	var zero T
	for _, v := range vals {
		if v != zero {
			return v
		}
	}
	return zero
}
