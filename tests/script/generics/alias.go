// run
// SPDX-License-Identifier: MIT

// Aliases with type parameters, and of instances.
package main

import "fmt"

type Vec[T any] struct{ x, y T }

func (v Vec[T]) Swap() Vec[T] { return Vec[T]{v.y, v.x} }

type (
	IntVec            = Vec[int]
	V[T any]          = Vec[T]
	Set[T comparable] = map[T]bool
	Pairs[T any]      = []V[T]
	Ptr[T any]        = *T
	Fn[A any]         = func(A) (A, error)
	Twice[A any]      = Vec[Vec[A]]
)

func first[T any](p Pairs[T]) V[T] { return p[0] }

func has[T comparable](s Set[T], t T) bool { return s[t] }

type Wrap[T any] struct{ V[T] }

func main() {
	var a IntVec = Vec[int]{1, 2}
	var b V[int] = a.Swap()
	fmt.Println(a, b, first(Pairs[string]{{"a", "b"}}))
	fmt.Println(has(Set[int]{1: true}, 1), has(map[string]bool{}, "x"))
	var p Ptr[int] = &b.x
	*p = 7
	fmt.Println(b)
	var f Fn[string] = func(s string) (string, error) { return s + s, nil }
	fmt.Println(f("ab"))
	fmt.Printf("%T %T %T %T %T\n", a, Pairs[int]{}, Set[rune]{}, Twice[bool]{}, Wrap[byte]{})
	fmt.Println(Wrap[int]{b}.Swap(), Twice[int]{x: a}.Swap())
}
