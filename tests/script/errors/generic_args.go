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

type A[P any] = List[P]

func main() {
	var _ List[int, string] // ERROR "too many type arguments for type List: have 2, want 1"
	var _ A[int] = List[int]{}
	_ = sum[string]   // ERROR "string does not satisfy Number \(string missing in ~int \| ~float64\)"
	_ = sum[int, int] // ERROR "got 2 type arguments but want 1"
	var _ = sum       // ERROR "cannot use generic function sum without instantiation"
}
