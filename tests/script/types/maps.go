// run
// SPDX-License-Identifier: MIT

// Maps: every key type, growth, deletion, nil maps, nested values.
package main

import (
	"fmt"
	"math"
	"sort"
)

type K struct {
	a int8
	s string
	f float64
}
type Named string

func keys(m map[string]int) []string {
	var k []string
	for s := range m {
		k = append(k, s)
	}
	sort.Strings(k)
	return k
}

func main() {
	m := map[string]int{"one": 1, "two": 2}
	m["three"] = 3
	v, ok := m["two"]
	w, ok2 := m["none"]
	fmt.Println(v, ok, w, ok2, len(m), m)
	delete(m, "one")
	delete(m, "one")
	_, ok = m["one"]
	fmt.Println(ok, len(m), keys(m))
	m["x"]++
	m["x"] += 5
	m["y"] |= 3
	fmt.Println(m)

	big := make(map[int]int)
	for i := 0; i < 20000; i++ {
		big[i*7] = i
	}
	for i := 0; i < 20000; i += 2 {
		delete(big, i*7)
	}
	sum, n := 0, 0
	for k, v := range big {
		if k != v*7 {
			panic("bad entry")
		}
		sum += v
		n++
	}
	fmt.Println(len(big), n, sum, big[7], big[14])

	b8 := map[int8]int{}
	for i := 0; i < 1000; i++ {
		b8[int8(i)]++
	}
	fmt.Println(len(b8), b8[0], b8[-1])
	mf := map[float64]string{0: "zero", 1.5: "x", math.Inf(1): "inf"}
	mf[math.Copysign(0, -1)] += "!"
	mf[math.NaN()] = "nan"
	mf[math.NaN()] = "nan"
	_, ok = mf[math.NaN()]
	fmt.Println(len(mf), mf[0], ok, mf[math.Inf(1)])
	mk := map[K]int{{1, "a", 2}: 3}
	mk[K{1, "a", 2}]++
	mk[K{1, "a", 3}]++
	fmt.Println(mk[K{1, "a", 2}], len(mk))
	mb := map[bool]string{true: "yes", false: "no"}
	mn := map[Named][]int{"q": {1, 2}}
	mn["q"] = append(mn["q"], 3)
	mp := map[*int]string{}
	p, q := new(int), new(int)
	mp[p], mp[q] = "p", "q"
	mr := map[rune]int{}
	for _, r := range "hello, wörld" {
		mr[r]++
	}
	mc := map[chan int]int{make(chan int): 1}
	mi := map[interface{}]string{1: "int", "1": "string", K{}: "K", [2]int{1, 2}: "arr"}
	fmt.Println(mb[1 < 2], mn, mp[p]+mp[q], mr['l'], mr['ö'], len(mc), mi[1], mi[K{}], mi[[2]int{1, 2}], mi[int64(1)] == "")

	nested := map[string]map[string]int{"a": {"x": 1}}
	nested["b"] = map[string]int{}
	nested["b"]["y"] = 2
	fmt.Println(nested, nested["c"]["z"])
	st := map[string]struct{ n, m int }{"k": {1, 2}}
	s := st["k"]
	s.n = 50
	st["k"] = s
	ps := map[string]*struct{ n int }{"k": {1}}
	ps["k"].n++
	arr := map[int][3]int{1: {1, 2, 3}}
	fmt.Println(st, ps["k"].n, arr[1][2], arr[5], len(arr))
	fn := map[string]func(int) int{"dbl": func(i int) int { return i * 2 }}
	fmt.Println(fn["dbl"](21), fn["no"] == nil)

	var nm map[string]int
	fmt.Println(nm == nil, len(nm), nm["x"])
	for range nm {
		panic("never")
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		nm["x"] = 1
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		mi[[]int{1}] = "x"
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		fmt.Println(mi[map[string]int{}])
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		fmt.Println(mi[struct{ f interface{} }{func() {}}])
	}()
	alias := m
	alias["new"] = 1
	fmt.Println(m["new"], len(m) == len(alias))
	set := map[string]struct{}{}
	for _, w := range []string{"a", "b", "a"} {
		set[w] = struct{}{}
	}
	fmt.Println(len(set))
	long := map[string]int{}
	for i := 0; i < 500; i++ {
		long[fmt.Sprintf("key-%0100d", i)] = i
	}
	fmt.Println(len(long), long[fmt.Sprintf("key-%0100d", 321)])
	type wide struct{ a [40]int }
	mw := map[int]wide{}
	for i := 0; i < 50; i++ {
		var x wide
		x.a[39] = i
		mw[i] = x
	}
	fmt.Println(mw[33].a[39], len(mw))
	c128 := map[complex128]int{1 + 1i: 4}
	fmt.Println(c128[complex(1, 1)], c128[1])
	inc := map[[2]string]int{}
	for i := 0; i < 10; i++ {
		inc[[2]string{"a", string(rune('a' + i%3))}]++
	}
	fmt.Println(inc)
}
