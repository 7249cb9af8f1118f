// SPDX-License-Identifier: MIT

// Package slices has functions on slices of any type.
//
// sort_func.go and sort_ordered.go are made from package sort's algorithms by
// its mkfunc.py, so that equal elements end where sort leaves them.
package slices

import (
	"cmp"
	"unsafe"
)

// Equal reports whether two slices have the same elements; a NaN is none of
// them.
func Equal[S ~[]E, E comparable](s1, s2 S) bool {
	if len(s1) != len(s2) {
		return false
	}
	for i, v := range s1 {
		if v != s2[i] {
			return false
		}
	}
	return true
}

// EqualFunc is Equal with elements compared by eq.
func EqualFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, eq func(E1, E2) bool) bool {
	if len(s1) != len(s2) {
		return false
	}
	for i, v := range s1 {
		if !eq(v, s2[i]) {
			return false
		}
	}
	return true
}

// Compare compares element by element, and then by length.
func Compare[S ~[]E, E cmp.Ordered](s1, s2 S) int {
	return CompareFunc(s1, s2, cmp.Compare[E])
}

// CompareFunc is Compare with elements compared by cmp.
func CompareFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, cmp func(E1, E2) int) int {
	for i, v := range s1 {
		if i == len(s2) {
			return +1
		}
		if c := cmp(v, s2[i]); c != 0 {
			return c
		}
	}
	if len(s1) < len(s2) {
		return -1
	}
	return 0
}

// Index returns where v is first found in s, or -1.
func Index[S ~[]E, E comparable](s S, v E) int {
	for i := range s {
		if v == s[i] {
			return i
		}
	}
	return -1
}

// IndexFunc returns the first index whose element makes f true, or -1.
func IndexFunc[S ~[]E, E any](s S, f func(E) bool) int {
	for i := range s {
		if f(s[i]) {
			return i
		}
	}
	return -1
}

// Contains reports whether v is in s.
func Contains[S ~[]E, E comparable](s S, v E) bool {
	return Index(s, v) >= 0
}

// ContainsFunc reports whether f is true of an element of s.
func ContainsFunc[S ~[]E, E any](s S, f func(E) bool) bool {
	return IndexFunc(s, f) >= 0
}

// Insert puts v in front of s[i], or at the end where i is len(s), and returns
// the longer slice. It panics where i is out of range.
func Insert[S ~[]E, E any](s S, i int, v ...E) S {
	_ = s[i:]
	n, k := len(s), len(v)
	if k == 0 {
		return s
	}
	if n+k > cap(s) {
		t := append(s[:i:i], make(S, n+k-i)...)
		copy(t[i:], v)
		copy(t[i+k:], s[i:])
		return t
	}
	if !overlap(v, s[i:n+k]) {
		s = s[:n+k]
		copy(s[i+k:], s[i:n])
		copy(s[i:], v)
		return s
	}
	// v is a part of what moves or is overwritten: it goes to the end first
	// and is then turned into its place.
	s = append(s[:n], v...)
	turn(s[i:], n-i)
	return s
}

// Delete removes s[i:j] and zeroes what has become free at the end.
func Delete[S ~[]E, E any](s S, i, j int) S {
	_ = s[i:j:len(s)]
	if i == j {
		return s
	}
	n := len(s)
	s = append(s[:i], s[j:]...)
	clear(s[len(s):n])
	return s
}

// DeleteFunc removes the elements for which del is true, and zeroes what has
// become free at the end.
func DeleteFunc[S ~[]E, E any](s S, del func(E) bool) S {
	to := IndexFunc(s, del)
	if to < 0 {
		return s
	}
	for from := to + 1; from < len(s); from++ {
		if v := s[from]; !del(v) {
			s[to] = v
			to++
		}
	}
	clear(s[to:])
	return s[:to]
}

// Replace puts v in the place of s[i:j] and returns the changed slice. What
// has become free at the end is zeroed.
func Replace[S ~[]E, E any](s S, i, j int, v ...E) S {
	_ = s[i:j]
	n, k := len(s), len(v)
	if i == j {
		return Insert(s, i, v...)
	}
	if j == n {
		t := append(s[:i], v...)
		if len(t) < n {
			clear(s[len(t):n])
		}
		return t
	}
	total := i + k + n - j
	if total > cap(s) {
		t := append(s[:i:i], make(S, total-i)...)
		copy(t[i:], v)
		copy(t[i+k:], s[j:])
		return t
	}
	t := s[:total]
	if i+k <= j {
		// The tail moves to the left, or not at all: v first.
		copy(t[i:], v)
		copy(t[i+k:], s[j:])
		clear(s[total:n])
		return t
	}
	if overlap(v, t[i:]) {
		v = append([]E(nil), v...)
	}
	copy(t[i+k:], s[j:n])
	copy(t[i:], v)
	return t
}

// Clone returns a copy of s, nil for a nil one. Elements are assigned. The
// capacity may be larger than the length.
func Clone[S ~[]E, E any](s S) S {
	if s == nil {
		return nil
	}
	// Nothing of s, not even its address, lives on in an empty one.
	return append(S{}, s...)
}

// Compact leaves the first of each run of equal elements, and zeroes what has
// become free at the end.
func Compact[S ~[]E, E comparable](s S) S {
	if len(s) < 2 {
		return s
	}
	to := 1
	for from := 1; from < len(s); from++ {
		if s[from] != s[from-1] {
			if from != to {
				s[to] = s[from]
			}
			to++
		}
	}
	clear(s[to:])
	return s[:to]
}

// CompactFunc is Compact with elements compared by eq; of a run the first is
// left.
func CompactFunc[S ~[]E, E any](s S, eq func(E, E) bool) S {
	if len(s) < 2 {
		return s
	}
	to := 1
	for from := 1; from < len(s); from++ {
		// The last one of the run so far lies where it was, or one step to
		// the left of what was written.
		if !eq(s[from], s[from-1]) {
			if from != to {
				s[to] = s[from]
			}
			to++
		}
	}
	clear(s[to:])
	return s[:to]
}

// Grow makes room for n more elements: appending so many allocates nothing.
// It panics if n is negative or too large.
func Grow[S ~[]E, E any](s S, n int) S {
	if n < 0 {
		panic("cannot be negative")
	}
	if n -= cap(s) - len(s); n > 0 {
		s = append(s[:cap(s)], make([]E, n)...)[:len(s)]
	}
	return s
}

// Clip returns s without the room behind its end.
func Clip[S ~[]E, E any](s S) S {
	return s[:len(s):len(s)]
}

// Reverse turns s round in place.
func Reverse[S ~[]E, E any](s S) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

// Concat returns a new slice of all elements of the given ones.
func Concat[S ~[]E, E any](slices ...S) S {
	n := 0
	for _, s := range slices {
		n += len(s)
		if n < 0 {
			panic("len out of range")
		}
	}
	// Nil where there is nothing, rounded up as append does.
	all := Grow[S](nil, n)
	for _, s := range slices {
		all = append(all, s...)
	}
	return all
}

// Repeat returns a new slice that holds x count times. It panics if count is
// negative or the length too large.
func Repeat[S ~[]E, E any](x S, count int) S {
	if count < 0 {
		panic("cannot be negative")
	}
	const maxInt = int(^uint(0) >> 1)
	if count > 0 && len(x) > maxInt/count {
		panic("the result of (len(x) * count) overflows")
	}
	all := make(S, len(x)*count)
	for n := copy(all, x); n > 0 && n < len(all); {
		n += copy(all[n:], all[:n])
	}
	return all
}

// turn moves the first k elements of s behind the others.
func turn[E any](s []E, k int) {
	Reverse(s[:k])
	Reverse(s[k:])
	Reverse(s)
}

// overlap reports whether two slices share memory.
func overlap[E any](a, b []E) bool {
	var e E
	size := unsafe.Sizeof(e)
	if len(a) == 0 || len(b) == 0 || size == 0 {
		return false
	}
	return uintptr(unsafe.Pointer(&a[0])) <= uintptr(unsafe.Pointer(&b[len(b)-1]))+(size-1) &&
		uintptr(unsafe.Pointer(&b[0])) <= uintptr(unsafe.Pointer(&a[len(a)-1]))+(size-1)
}
