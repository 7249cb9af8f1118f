// errorcheck
// SPDX-License-Identifier: MIT

// Explicit type arguments.

package main

type List[T any] struct {
	next *List[T]
	v    T
}

type Number interface {
	~int | ~float64
}

type Stringer interface{ String() string }

func sum[T Number](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return
}

func both[T, U any](T, U) {}

func all[S ~[]E, E any](S) {}

type A[P any] = List[P]

func main() {
	var _ List[int, string] // ERROR "too many type arguments for type List: have 2, want 1"
	var _ A[int] = List[int]{}
	_ = sum[string]   // ERROR "string does not satisfy Number \(string missing in ~int \| ~float64\)"
	_ = sum[int, int] // ERROR "got 2 type arguments but want 1"
	var _ = sum       // ERROR "cannot use generic function sum without instantiation"

	// Type arguments are written once.
	both[int][string](1, "a")  // ERROR "cannot infer U"
	(both[int])[string](1, "") // ERROR "cannot infer U"
	sum[int, int][int](1)      // ERROR "got 2 type arguments but want 1"
	all[[]int][0](nil)         // ERROR "cannot index all\[\[\]int\]"
}
