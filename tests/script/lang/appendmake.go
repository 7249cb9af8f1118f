// run
// SPDX-License-Identifier: MIT

// append(s, make([]T, n)...) makes zeros behind s, and no other slice.
package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

type pair struct {
	p *int
	n int
}

var sink any

func try(what string, f func() int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(what, "panics:", r)
		}
	}()
	fmt.Println(what, f())
}

// What a slice has had behind its end is zero afterwards.
func dirty() {
	s := []int{1, 2, 3, 4, 5, 6}
	t := append(s[:2], make([]int, 3)...)
	fmt.Println(s, t, len(t), cap(t))
	x := 7
	p := []pair{{&x, 1}, {&x, 2}, {&x, 3}}
	q := append(p[:1], (make([]pair, 2))...)
	fmt.Println(p[1], p[2], *q[0].p, len(q), cap(q))
	q = append(q, make([]pair, 30)...)
	fmt.Println(q[3:], *q[0].p, len(q), cap(q))
	var none []string
	k := 0
	none = append(none, make([]string, k)...)
	fmt.Println(none == nil, len(append(none, make([]string, 0)...)))
	e := append([]struct{}{{}}, make([]struct{}, k+5)...)
	fmt.Println(len(e), len(append(e, make([]struct{}, k)...)))
	var u8 uint8 = 200
	fmt.Println(len(append(s, make([]int, u8)...)))
	type ints []int
	fmt.Println(len(append(ints(s), make(ints, u8-190)...)))
}

var s = []int{1}

//go:noinline
func change() int {
	s = []int{1, 2, 3}
	return 2
}

// The slice is read behind the calls, as the other operands are.
func order() {
	fmt.Println(append(s, make([]int, change())...))
	fmt.Println(append(s[:len(s)-1], make([]int, change()-1)...), s)
	a, b := s[0], append(s[:1], make([]int, change())...)
	fmt.Println(a, b, s)
}

func fails() {
	for _, n := range []int{3, -1, -1 << 63, 1<<63 - 1, 1 << 61} {
		try(fmt.Sprint("ints ", n), func() int {
			return len(append([]int{1}, make([]int, n)...))
		})
		try(fmt.Sprint("pairs ", n), func() int {
			return len(append([]pair(nil), make([]pair, n)...))
		})
	}
	var u uint64 = 1 << 63
	try("uint64", func() int {
		return len(append([]byte{1}, make([]byte, u)...))
	})
}

func main() {
	dirty()
	order()
	fails()
	b := []byte("0123456789")
	n, text := 30, strings.Repeat("a", 19)
	var to strings.Builder
	fmt.Println(testing.AllocsPerRun(100, func() {
		sink = &append(b[:5:5], make([]byte, n)...)[0]
	}), testing.AllocsPerRun(100, func() {
		slices.Grow(b, cap(b)-len(b)+1)
	}), testing.AllocsPerRun(100, func() {
		_ = slices.Concat(b, b)
	}), testing.AllocsPerRun(100, func() {
		to.Reset()
		to.Grow(18)
		to.WriteString(text)
		_ = to.String()
	}))
}
