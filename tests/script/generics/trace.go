// panic
// SPDX-License-Identifier: MIT

// A panic in generic functions, methods and their literals: the traceback
// names instances without their arguments.
package main

type T[K comparable, V any] struct{ m map[K]V }

func (t T[K, V]) Get(k K) V     { return t.m[k] }
func (t *T[K, V]) Set(k K, v V) { t.m[k] = v }

//go:noinline
func each[E any](es []E, f func(E)) {
	for _, e := range es {
		f(e)
	}
}

//go:noinline
func fill[K comparable](t *T[K, int], ks ...K) {
	each(ks, func(k K) { t.Set(k, 1) })
}

func main() {
	var t T[string, int]
	println(t.Get("x"))
	fill(&t, "a", "b")
}
