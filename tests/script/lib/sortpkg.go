// run
// SPDX-License-Identifier: MIT

// Package sort, math/rand by its properties.
package main

import (
	"fmt"
	"math/rand"
	"sort"
	"strings"
)

type person struct {
	name string
	age  int
}
type byAge []person

func (b byAge) Len() int           { return len(b) }
func (b byAge) Less(i, j int) bool { return b[i].age < b[j].age }
func (b byAge) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

type multi struct {
	byAge
	less []func(a, b *person) bool
}

func (m multi) Less(i, j int) bool {
	p, q := &m.byAge[i], &m.byAge[j]
	for _, l := range m.less {
		if l(p, q) {
			return true
		}
		if l(q, p) {
			return false
		}
	}
	return false
}

func main() {
	a := []int{5, 2, 8, 1, 9, 3}
	sort.Ints(a)
	fmt.Println(a, sort.IntsAreSorted(a), sort.SearchInts(a, 8), sort.SearchInts(a, 4), sort.SearchInts(a, 100))
	sort.Sort(sort.Reverse(sort.IntSlice(a)))
	fmt.Println(a, sort.IntsAreSorted(a))
	s := strings.Fields("the quick brown fox jumps")
	sort.Strings(s)
	fmt.Println(s, sort.SearchStrings(s, "fox"))
	f := []float64{2.5, -1, 0, 1e10}
	sort.Float64s(f)
	fmt.Println(f)
	ps := []person{{"a", 30}, {"b", 25}, {"c", 30}, {"d", 25}, {"e", 40}}
	st := append([]person(nil), ps...)
	sort.Stable(byAge(st))
	fmt.Println(st)
	sort.Slice(st, func(i, j int) bool { return st[i].name > st[j].name })
	fmt.Println(st)
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].age > ps[j].age })
	fmt.Println(ps, sort.SliceIsSorted(ps, func(i, j int) bool { return ps[i].age > ps[j].age }))
	sort.Sort(multi{ps, []func(a, b *person) bool{
		func(a, b *person) bool { return a.age < b.age },
		func(a, b *person) bool { return a.name > b.name },
	}})
	fmt.Println(ps)
	i := sort.Search(1000, func(i int) bool { return i*i >= 5000 })
	j, found := sort.Find(len(s), func(i int) int { return strings.Compare("jumps", s[i]) })
	fmt.Println(i, j, found)

	r := rand.New(rand.NewSource(7))
	for _, n := range []int{0, 1, 2, 10, 11, 12, 13, 50, 100, 1000, 5000} {
		for kind := 0; kind < 5; kind++ {
			d := make([]int, n)
			for i := range d {
				switch kind {
				case 0:
					d[i] = r.Intn(n * 10)
				case 1:
					d[i] = i
				case 2:
					d[i] = n - i
				case 3:
					d[i] = r.Intn(3)
				case 4:
					d[i] = i ^ 5
				}
			}
			counts := map[int]int{}
			for _, v := range d {
				counts[v]++
			}
			e := append([]int(nil), d...)
			sort.Ints(d)
			sort.Slice(e, func(i, j int) bool { return e[i] < e[j] })
			for i := range d {
				counts[d[i]]--
				if d[i] != e[i] || i > 0 && d[i-1] > d[i] {
					fmt.Println("not sorted", n, kind)
					break
				}
			}
			for _, c := range counts {
				if c != 0 {
					fmt.Println("not a permutation", n, kind)
				}
			}
		}
	}
	r1, r2 := rand.New(rand.NewSource(1)), rand.New(rand.NewSource(1))
	same := true
	for i := 0; i < 100; i++ {
		same = same && r1.Int63() == r2.Int63() && r1.Float64() == r2.Float64()
	}
	p := r.Perm(20)
	sort.Ints(p)
	fmt.Println(same, p)
	lo, hi := 1.0, 0.0
	buckets := [10]int{}
	for i := 0; i < 10000; i++ {
		x := rand.Float64()
		lo, hi = min(lo, x), max(hi, x)
		buckets[rand.Intn(10)]++
		if v := rand.Int31n(5); v < 0 || v >= 5 {
			fmt.Println("out of range", v)
		}
	}
	even := true
	for _, b := range buckets {
		even = even && b > 700 && b < 1300
	}
	fmt.Println(lo >= 0, hi < 1, lo < 0.01, hi > 0.99, even)
	sh := []int{1, 2, 3, 4, 5, 6}
	rand.Shuffle(len(sh), func(i, j int) { sh[i], sh[j] = sh[j], sh[i] })
	sort.Ints(sh)
	fmt.Println(sh)
	func() {
		defer func() { fmt.Println(recover()) }()
		rand.Intn(0)
	}()
}
