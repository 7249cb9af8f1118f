// run
// SPDX-License-Identifier: MIT

// Range over functions, integers, channels and maps whose types are
// parameters or instances.
package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

type Seq[T any] func(yield func(T) bool)

func count[T ~int](n T) Seq[T] {
	return func(yield func(T) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func (s Seq[T]) Filter(f func(T) bool) Seq[T] {
	return func(yield func(T) bool) {
		for t := range s {
			if f(t) && !yield(t) {
				return
			}
		}
	}
}

func Take[T any](s Seq[T], n int) (out []T) {
	if n == 0 {
		return
	}
	for t := range s {
		out = append(out, t)
		if n--; n == 0 {
			return out
		}
	}
	return
}

func zip[A, B any](a iter.Seq[A], b iter.Seq[B]) iter.Seq2[A, B] {
	return func(yield func(A, B) bool) {
		next, stop := iter.Pull(b)
		defer stop()
		for x := range a {
			y, ok := next()
			if !ok || !yield(x, y) {
				return
			}
		}
	}
}

// A loop whose body leaves in each way.
func ways[T comparable](s iter.Seq[T], skip, stop, out T) (got []T, how string) {
	defer func() { how += " deferred" }()
outer:
	for range 2 {
		for t := range s {
			switch t {
			case skip:
				continue
			case stop:
				break outer
			case out:
				return got, "returned"
			}
			defer func() { got = append(got, t) }()
			got = append(got, t)
		}
		how += "again "
	}
	return got, how + "end"
}

type tree[T any] struct {
	l, r *tree[T]
	v    T
}

func (t *tree[T]) all(yield func(int, T) bool) { t.walk(0, yield) }

func (t *tree[T]) walk(depth int, yield func(int, T) bool) bool {
	return t == nil || t.l.walk(depth+1, yield) && yield(depth, t.v) && t.r.walk(depth+1, yield)
}

func sumOf[F ~func(func(T) bool), T ~int](f F) (s T) {
	for t := range f {
		s += t
	}
	return
}

func lens[K comparable, V any, M ~map[K][]V](m M) (n int) {
	for _, v := range m {
		n += len(v)
	}
	return
}

func drain[C ~chan T, T any](c C) (out []T) {
	for t := range c {
		out = append(out, t)
	}
	return
}

func main() {
	fmt.Println(Take(count(100).Filter(func(i int) bool { return i%7 == 3 }), 4))
	type small int
	fmt.Println(Take(count[small](3), 10))
	for a, b := range zip(slices.Values([]string{"a", "b", "c"}), slices.Values([]int{1, 2})) {
		fmt.Print(a, b, " ")
	}
	fmt.Println()
	s := slices.Values([]int{1, 2, 3, 4})
	fmt.Println(ways(s, 2, 9, 9))
	fmt.Println(ways(s, 9, 3, 9))
	fmt.Println(ways(s, 1, 9, 3))
	t := &tree[string]{&tree[string]{v: "x"}, &tree[string]{nil, &tree[string]{v: "z"}, "y"}, "m"}
	for d, v := range t.all {
		if v == "z" {
			break
		}
		fmt.Print(d, v, " ")
	}
	fmt.Println()
	fmt.Println(sumOf(count(5)), lens(map[string][]int{"a": {1, 2}, "b": {3}}))
	c := make(chan rune, 3)
	c <- 'a'
	c <- 'b'
	close(c)
	fmt.Println(drain(c))
	m := map[string]int{"x": 1, "y": 2}
	keys := slices.Sorted(maps.Keys(m))
	fmt.Println(keys, slices.Sorted(maps.Values(m)))
	for i, v := range slices.Backward(keys) {
		fmt.Print(i, v, " ")
	}
	fmt.Println()
}
