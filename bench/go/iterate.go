// SPDX-License-Identifier: MIT

package main

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
)

type tree[K cmp.Ordered] struct {
	left, right *tree[K]
	key         K
}

func (t *tree[K]) insert(k K) *tree[K] {
	if t == nil {
		return &tree[K]{key: k}
	}
	if k < t.key {
		t.left = t.left.insert(k)
	} else if k > t.key {
		t.right = t.right.insert(k)
	}
	return t
}

func (t *tree[K]) push(yield func(K) bool) bool {
	return t == nil || t.left.push(yield) && yield(t.key) && t.right.push(yield)
}

func (t *tree[K]) all() iter.Seq[K] {
	return func(yield func(K) bool) { t.push(yield) }
}

func filter[T any](s iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range s {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
}

type pair struct{ a, b int }

// Generic functions and types, loops over functions, sorting by a function.
func main() {
	var t *tree[int]
	x := uint32(42)
	var pairs []pair
	for range 100000 {
		x = x*1664525 + 1013904223
		t = t.insert(int(x >> 12))
		pairs = append(pairs, pair{int(x >> 24), int(x & 0xffff)})
	}
	sum := 0
	for range 20 {
		for v := range filter(t.all(), func(v int) bool { return v%3 == 0 }) {
			sum += v
		}
		for i, v := range slices.Backward(pairs) {
			sum += i ^ v.b
		}
	}
	slices.SortFunc(pairs, func(p, q pair) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	m := map[int]int{}
	for _, p := range pairs {
		m[p.a] += p.b
	}
	keys := slices.Sorted(maps.Keys(m))
	at, ok := slices.BinarySearch(keys, 77)
	fmt.Println(sum, pairs[500], len(keys), m[keys[3]], at, ok)
}
