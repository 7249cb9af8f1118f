// run
// SPDX-License-Identifier: MIT

// The built-in functions.
package main

import (
	"fmt"
	"math"
)

type T struct{ a, b int }

func main() {
	x, y := 3, 7
	fmt.Println(min(x, y), max(x, y), min(x, y, -1), max(1.5, float64(x)), min(2, 1.5), max("a", "b", "ab"))
	nan := math.NaN()
	fmt.Println(min(nan, 1), max(1, nan), min(math.Copysign(0, -1), 0), max(math.Copysign(0, -1), 0))
	const c = min(10, 3, 5)
	var arr [c]int
	fmt.Println(len(arr), max(c, 2))

	m := map[float64]int{1: 1, nan: 2, nan: 3}
	fmt.Println(len(m))
	delete(m, nan)
	fmt.Println(len(m))
	clear(m)
	fmt.Println(len(m))
	s := []T{{1, 2}, {3, 4}, {5, 6}}
	clear(s[:2])
	fmt.Println(s)
	var nm map[string]int
	clear(nm)
	delete(nm, "x")
	var ns []int
	clear(ns)
	fmt.Println(len(nm), nm["q"], len(ns), cap(ns))

	p := new(int)
	*p += 5
	q := new(T)
	q.b = *p
	fmt.Println(*p, *q)
	mk := make([]int, 2, 5)
	mm := make(map[string]bool, 10)
	mc := make(chan int, 3)
	mc <- 1
	fmt.Println(len(mk), cap(mk), len(mm), len(mc), cap(mc))
	n := copy(mk, []int{9, 8, 7})
	fmt.Println(n, mk, copy(mk[1:], mk), mk, copy(mk, ns))
	mk = append(mk, 1, 2, 3)
	mk2 := append(mk, 4)
	mk3 := append([]int(nil), mk...)
	mk3[0] = -1
	fmt.Println(mk, mk2, mk3, append(ns), append([]byte("a"), "bc"...))
	var ap *[5]int
	fmt.Println(len(ap), cap(ap), len([...]int{5: 1}), len("héé"))
	fmt.Println(real(1+2i), imag(1+2i), complex(3, 4))
	for _, size := range []int{-1, 1 << 62} {
		func() {
			defer func() { fmt.Println(recover()) }()
			_ = make([]int, size)
		}()
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		_ = make([]int, 5, x)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		_ = make(chan int, x-y)
	}()
	caps := make([]int, 0)
	grown := 0
	for i := 0; i < 2000; i++ {
		if len(caps) == cap(caps) {
			grown++
		}
		caps = append(caps, i)
	}
	fmt.Println(grown < 20, caps[1999], len(caps))
	s3 := caps[2:4:6]
	fmt.Println(len(s3), cap(s3), append(s3, 100), caps[4], append(s3, 1, 2, 3)[4], caps[6])
	type E struct{}
	es := make([]E, 1000000)
	es = append(es, E{}, E{})
	fmt.Println(len(es))
	print()
}
