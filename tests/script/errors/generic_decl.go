// errorcheck
// SPDX-License-Identifier: MIT

// Declared type parameters, constraints and explicit type arguments.

package main

type List[T any] struct {
	next *List[T]
	v    T
}

type Number interface {
	~int | ~float64
}

type Stringer interface{ String() string }

type Bad[P Number] P // ERROR "cannot use a type parameter as RHS in type declaration"

type Emb[P any] struct {
	P // ERROR "embedded field type cannot be a \(pointer to a\) type parameter"
}

func (l *List[A, B]) two() {} // ERROR "receiver declares 2 type parameters, but receiver base type declares 1"

func (l List) none() {} // ERROR "cannot use generic type List\[T any\] without instantiation"

func f[P Q, Q any](P, Q) {} // ERROR "cannot use a type parameter as constraint"

func sum[T Number](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return
}

type overlap interface {
	int | ~int // ERROR "overlapping terms ~int and int"
}

type mine int

type tilde interface {
	~mine // ERROR "invalid use of ~ \(underlying type of mine is int\)"
}

type mixed interface {
	int | Stringer // ERROR "cannot use main\.Stringer in union \(main\.Stringer contains methods\)"
}

var n Number // ERROR "cannot use type Number outside a type constraint: interface contains type constraints"

var c comparable // ERROR "cannot use type comparable outside a type constraint: interface is \(or embeds\) comparable"

type A[P any] = List[P]

func main() {}
