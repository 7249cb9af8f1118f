// errorcheck
// SPDX-License-Identifier: MIT

// Inferred type arguments.

package main

type Pair[A, B any] struct {
	a A
	b B
}

func pair[A, B any](a A, b B) Pair[A, B] { return Pair[A, B]{a, b} }

func same[T any](a, b T) {}

func apply[T, U any](xs []T, f func(T) U) []U { return nil }

func id[T any](x T) T { return x }

func make2[S ~[]E, E any](n E) (s S) { return }

func keys[M ~map[K]V, K comparable, V any](m M) []K { return nil }

type num interface{ ~int | ~float64 }

func add[T num](x, y T) T { return x + y }

type set map[string]bool

func none[T any]() {}

type setter[T any] interface {
	Set(string)
	*T
}

type conf int

func (c *conf) Set(string) {}

func from[T any, P setter[T]](s []string) (r []T) {
	for range s {
		var t T
		P(&t).Set("")
	}
	return
}

func main() {
	var p Pair[int, string] = pair(1, "a")
	_ = p
	same(1, 2.5)
	same(1, "a") // ERROR "in call to same, mismatched types untyped int and untyped string \(cannot infer T\)"
	same(int8(1), 2)
	same(int8(1), "") // ERROR "cannot use .. \(untyped string constant\) as int8 value in argument to same"
	var x int
	var y string
	same(x, y) // ERROR "in call to same, type string of y does not match inferred type int for T"
	var f []float64 = apply([]int{1}, func(int) float64 { return 0 })
	_ = f
	_ = apply([]int{1}, id)
	_ = apply([]string{""}, id[int]) // ERROR "in call to apply, type func\(x int\) int of id\[int\] does not match inferred type func\(string\) U for func\(T\) U"
	var g func(string) string = id
	g = id
	_ = g
	var h func(string) int = id // ERROR "inferred type func\(x string\) string for func\(x T\) T does not match type func\(string\) int of h"
	_ = h
}
