// run
// SPDX-License-Identifier: MIT

// Slices: sharing, three-index forms, append, copy, growth, nil and empty.
package main

import "fmt"

type T struct {
	s string
	n int
}

func remove(s []int, i int) []int    { return append(s[:i], s[i+1:]...) }
func insert(s []int, i, v int) []int { return append(s[:i], append([]int{v}, s[i:]...)...) }
func filter(s []int, f func(int) bool) []int {
	out := s[:0]
	for _, v := range s {
		if f(v) {
			out = append(out, v)
		}
	}
	return out
}

func main() {
	s := []int{0, 1, 2, 3, 4, 5, 6, 7}
	t := s[2:5]
	t[0] = 20
	fmt.Println(s, t, len(t), cap(t), t[:6])
	u := s[2:5:5]
	u = append(u, 100)
	u[0] = 200
	fmt.Println(s, u, cap(s[2:5:7]))
	t = append(t, 50)
	fmt.Println(s, t)
	var nils []int
	empty := []int{}
	fmt.Println(nils == nil, empty == nil, len(nils), nils[:] == nil, empty[:0] == nil)
	nils = append(nils, empty...)
	fmt.Println(nils == nil)
	nils = append(nils, 1)
	fmt.Println(nils, append([]int(nil), s[6:]...))
	fmt.Println(remove([]int{1, 2, 3, 4}, 1), insert([]int{1, 2, 3}, 1, 9))
	fmt.Println(filter([]int{1, 2, 3, 4, 5, 6}, func(v int) bool { return v%2 == 0 }))
	n := copy(s, s[3:])
	fmt.Println(n, s)
	n = copy(s[2:], s)
	fmt.Println(n, s)
	grid := make([][]rune, 3)
	for i := range grid {
		grid[i] = make([]rune, 4)
		for j := range grid[i] {
			grid[i][j] = '.'
		}
	}
	grid[1][2] = '#'
	for _, r := range grid {
		fmt.Println(string(r))
	}
	ts := []T{{"a", 1}, {n: 2}, {"c", 3}}
	p := &ts[0]
	ts = append(ts, T{"d", 4})
	p.n = 100
	fmt.Println(ts[0].n == 1, p.n, ts)
	idx := []int{5: 1, 2, 1: 7}
	fmt.Println(idx, len(idx))
	stack := []string{}
	for _, w := range []string{"x", "y", "z"} {
		stack = append(stack, w)
	}
	for len(stack) > 0 {
		fmt.Print(stack[len(stack)-1], " ")
		stack = stack[:len(stack)-1]
	}
	fmt.Println(cap(stack) > 0)
	var bs []byte
	bs = append(bs, "text"...)
	bs = append(bs, 0x41, 'b')
	fmt.Println(string(bs), bs[4:])
	self := []int{1, 2, 3}
	self = append(self, self...)
	self = append(self[1:3], self[4:]...)
	fmt.Println(self)
	var any []interface{}
	any = append(any, 1, "two", nil, []int{3}, any)
	fmt.Println(any, len(any))
	func() {
		defer func() { fmt.Println(recover()) }()
		i := 10
		s[i] = 1
	}()
	for _, b := range [][3]int{{3, 2, 8}, {0, 9, 8}, {0, 5, 4}, {0, 2, 99}, {-1, 2, 3}} {
		func() {
			defer func() { fmt.Println(recover()) }()
			_ = s[b[0]:b[1]:b[2]]
		}()
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		k := 9
		_ = s[k:]
	}()
	a := make([]int, 3, 8)
	b := append(a, 1)
	c := append(a, 2)
	fmt.Println(b[3], c[3], len(a))
	sum := 0
	large := make([]int, 0)
	for i := 0; i < 100000; i++ {
		large = append(large, i)
	}
	for _, v := range large {
		sum += v
	}
	fmt.Println(sum, len(large), large[99999])
	ptrs := make([]*int, 5)
	for i := range ptrs {
		ptrs[i] = new(int)
		*ptrs[i] = i * i
	}
	ptrs = append(ptrs[:1], ptrs[2:]...)
	for _, q := range ptrs {
		fmt.Print(*q, " ")
	}
	fmt.Println()
	m := map[string][]int{}
	m["a"] = append(m["a"], 1)
	m["a"] = append(m["a"], 2)
	m["b"] = append(m["b"], m["a"]...)
	fmt.Println(m, len(m["none"]))
	funcs := []func(){func() { fmt.Print("f0 ") }, func() { fmt.Println("f1") }}
	for _, f := range funcs {
		f()
	}
	rev := []int{1, 2, 3, 4, 5}
	for i, j := 0, len(rev)-1; i < j; i, j = i+1, j-1 {
		rev[i], rev[j] = rev[j], rev[i]
	}
	fmt.Println(rev, rev[len(rev):], rev[:0])
}
