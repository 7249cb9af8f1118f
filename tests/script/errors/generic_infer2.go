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
	_ = keys(set{})
	_ = keys(1)       // ERROR "in call to keys, cannot infer K"
	_ = make2(1)      // ERROR "in call to make2, cannot infer S"
	none()            // ERROR "in call to none, cannot infer T"
	_ = add("a", "b") // ERROR "string does not satisfy num \(string missing in ~int \| ~float64\)"
	_ = from[conf](nil)
	_ = from[int](nil) // ERROR "\*int does not satisfy setter\[int\] \(missing method Set\)"
}
