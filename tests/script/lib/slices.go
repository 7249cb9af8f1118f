// run
// SPDX-License-Identifier: MIT

// Package slices: results, what is left behind the end, capacity, overlapping
// arguments, panics, and where unstable sorts leave equal elements.
package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
)

type names []string

type person struct {
	name string
	age  int
}

func try(what string, f func()) {
	defer func() { fmt.Println(what, recover()) }()
	f()
}

func compare() {
	nan := math.NaN()
	fmt.Println(slices.Equal([]int{1, 2}, []int{1, 2}), slices.Equal(nil, []int{}), slices.Equal([]float64{nan}, []float64{nan}))
	fmt.Println(slices.EqualFunc([]int{1, 22}, []string{"x", "yy"}, func(i int, s string) bool { return (i > 9) == (len(s) > 1) }))
	fmt.Println(slices.Compare([]int{1, 2}, []int{1, 3}), slices.Compare([]int{1, 2}, []int{1}), slices.Compare(names{}, names{"a"}),
		slices.Compare([]float64{nan}, []float64{1}), slices.Compare([]float64{nan}, []float64{nan}))
	fmt.Println(slices.CompareFunc([]int{3}, []string{"abc", "d"}, func(i int, s string) int { return i - len(s) }))
	s := names{"a", "b", "c", "b"}
	fmt.Println(slices.Index(s, "b"), slices.Index(s, "z"), slices.Contains(s, "c"), slices.IndexFunc(s, func(s string) bool { return s > "b" }),
		slices.ContainsFunc(s, func(s string) bool { return s == "" }))
}

func change() {
	show := func(s []int) { fmt.Println(s, len(s), s[:cap(s)][len(s):min(cap(s), len(s)+3)]) }
	mk := func() []int { return append(make([]int, 0, 8), 1, 2, 3, 4, 5) }
	show(slices.Insert(mk(), 2, 10, 11))
	s := mk()
	show(slices.Insert(s, 1, s[2:]...))
	s = mk()
	show(slices.Insert(s, 3, s[1:4]...))
	show(slices.Insert(mk(), 5, 6))
	show(slices.Insert(mk(), 0))
	fmt.Println(slices.Insert(mk(), 1, 7, 8, 9, 10)[:6])
	show(slices.Delete(mk(), 1, 3))
	show(slices.Delete(mk(), 0, 5))
	show(slices.Delete(mk(), 2, 2))
	show(slices.DeleteFunc(mk(), func(i int) bool { return i%2 == 1 }))
	show(slices.Replace(mk(), 1, 3, 20))
	show(slices.Replace(mk(), 1, 2, 20, 21, 22))
	show(slices.Replace(mk(), 3, 5, 20))
	show(slices.Replace(mk(), 2, 2, 9))
	s = mk()
	show(slices.Replace(s, 1, 2, s[2:5]...))
	s = mk()
	show(slices.Replace(s, 0, 3, s[3:5]...))
	show(slices.Compact(append(mk(), 5, 5)))
	show(slices.CompactFunc([]int{1, 11, 21, 2, 12, 3}, func(a, b int) bool { return a%10 == b%10 }))
	s = slices.Grow(mk(), 3)
	fmt.Println(cap(s), cap(slices.Grow(mk(), 100)) >= 105, cap(slices.Clip(mk())), slices.Grow[[]int](nil, 0) == nil)
	s = mk()
	slices.Reverse(s)
	show(s)
	fmt.Println(slices.Concat([]int{1}, nil, []int{2, 3}), slices.Concat[[]int]() == nil, slices.Concat(names{"x"}, names{"y"}))
	fmt.Println(slices.Repeat(names{"a", "b"}, 3), slices.Repeat([]int{1}, 0) == nil, slices.Clone[[]int](nil) == nil, slices.Clone([]int{}) == nil)
	for _, f := range []func(){
		func() { slices.Insert(mk(), 6, 1) }, func() { slices.Insert(mk(), -1) }, func() { slices.Delete(mk(), 3, 2) }, func() { slices.Delete(mk(), 3, 6) },
		func() { slices.Replace(mk(), 4, 9, 1) }, func() { slices.Grow(mk(), -1) }, func() { slices.Repeat(mk(), -1) }, func() { slices.Repeat(mk(), 1<<61) },
		func() { slices.Chunk(mk(), 0) }, func() { slices.Min([]int{}) }, func() { slices.Max(names{}) },
		func() { slices.MinFunc([]int{}, cmp.Compare[int]) }, func() { slices.MaxFunc([]int{}, cmp.Compare[int]) },
	} {
		try("panic:", f)
	}
}

func order() {
	nan := math.NaN()
	fl := []float64{3, nan, -1, math.Inf(-1), 0, nan}
	fmt.Println(slices.Min(fl), slices.Max(fl[2:5]), slices.Max([]string{"b", "c", "a"}), slices.IsSorted(fl))
	slices.Sort(fl)
	fmt.Println(fl, slices.IsSorted(fl))
	fmt.Println(slices.BinarySearch(fl[2:], 0))
	fmt.Println(slices.BinarySearch([]string{"a", "c"}, "b"))
	ps := []person{{"Al", 30}, {"Bo", 20}, {"Cy", 30}, {"Di", 20}}
	byAge := func(a, b person) int { return a.age - b.age }
	fmt.Println(slices.MinFunc(ps, byAge), slices.MaxFunc(ps, byAge), slices.IsSortedFunc(ps, byAge))
	slices.SortStableFunc(ps, byAge)
	fmt.Println(ps)
	fmt.Println(slices.BinarySearchFunc(ps, 30, func(p person, age int) int { return cmp.Compare(p.age, age) }))
	slices.SortFunc(ps, func(a, b person) int {
		return cmp.Or(-cmp.Compare(a.age, b.age), strings.Compare(b.name, a.name))
	})
	fmt.Println(ps)
}

// A sum of where a sort of n elements in patterns with few keys puts each.
func unstable() {
	type pair struct{ key, at int }
	for _, n := range []int{5, 12, 13, 40, 50, 51, 200, 1000, 5000} {
		h := fnv.New64a()
		for pattern := range 7 {
			s := make([]pair, n)
			r := uint32(n)
			for i := range s {
				r = r*1664525 + 1013904223
				s[i] = pair{[]int{int(r>>16) % 5, i / 7, -i / 3, i % 10, int(r>>20) % n, min(i, n-i), 1}[pattern], i}
			}
			t := slices.Clone(s)
			slices.SortFunc(s, func(a, b pair) int { return a.key - b.key })
			slices.SortStableFunc(t, func(a, b pair) int { return a.key - b.key })
			for i := range s {
				fmt.Fprint(h, s[i].at, t[i].at, " ")
				if i > 0 && (t[i-1].key > t[i].key || t[i-1].key == t[i].key && t[i-1].at > t[i].at) {
					fmt.Println("not stable", n, pattern, i)
				}
			}
		}
		fmt.Printf("%d %x\n", n, h.Sum64())
	}
	f := make([]float32, 300)
	for i := range f {
		f[i] = float32(i*7%5) - 2
		if f[i] == 0 && i%3 == 0 {
			f[i] = float32(math.Copysign(0, -1))
		}
	}
	slices.Sort(f)
	h := fnv.New64a()
	for _, x := range f {
		fmt.Fprint(h, math.Float32bits(x), " ")
	}
	fmt.Printf("%x\n", h.Sum64())
}

func sequences() {
	s := names{"a", "b", "c", "d", "e"}
	for i, v := range slices.All(s) {
		fmt.Print(i, v, " ")
	}
	for i, v := range slices.Backward(s) {
		if i == 1 {
			break
		}
		fmt.Print(i, v, " ")
	}
	for v := range slices.Values(s) {
		fmt.Print(v, " ")
	}
	fmt.Println()
	fmt.Println(slices.Collect(slices.Values(s)), slices.AppendSeq(names{"x"}, slices.Values(s[:2])), slices.Collect(slices.Values(s[:0])) == nil)
	for c := range slices.Chunk(s, 2) {
		fmt.Print(c, len(c), cap(c), " ")
	}
	fmt.Println()
	back := func(yield func(string) bool) {
		for _, v := range slices.Backward(s) {
			if !yield(v) {
				return
			}
		}
	}
	fmt.Println(slices.Sorted(back), slices.SortedFunc(back, func(a, b string) int { return strings.Compare(b, a) }),
		slices.SortedStableFunc(back, func(a, b string) int { return 0 }))
}

func main() {
	compare()
	change()
	order()
	unstable()
	sequences()
}
