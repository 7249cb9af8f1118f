// run
// SPDX-License-Identifier: MIT

// Package unique: handles are equal where values of one type are.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"unique"
)

type point struct {
	x, y int
	name string
}

type label string

func main() {
	a, b := unique.Make("abc"), unique.Make(strings.Join([]string{"a", "bc"}, ""))
	fmt.Println(a == b, a.Value(), a == unique.Make("abd"))
	fmt.Println(unique.Make(point{1, 2, "p"}) == unique.Make(point{1, 2, "p"}), unique.Make(point{}) == unique.Make(point{1, 0, ""}))
	var x, y any = unique.Make("abc"), unique.Make(label("abc"))
	fmt.Println(x == y, x == any(a), unique.Make[any](1) == unique.Make[any](1), unique.Make[any](1) == unique.Make[any](int8(1)))
	fmt.Println(unique.Make[any](1).Value(), unique.Make[fmt.Stringer](nil).Value())
	fmt.Printf("%T %T\n", a, unique.Make(point{}))
	m := map[unique.Handle[string]]int{a: 1}
	m[unique.Make("abc")]++
	fmt.Println(m[b], len(m))
	var hs []unique.Handle[string]
	for round := range 3 {
		for i := range 1000 {
			h := unique.Make(fmt.Sprint("value ", i%500, round/2))
			if i%100 == 0 {
				hs = append(hs, h)
			}
		}
		runtime.GC()
	}
	same := 0
	for i, h := range hs {
		for _, g := range hs[i+1:] {
			if (g == h) != (g.Value() == h.Value()) {
				fmt.Println("differ", g.Value(), h.Value())
			}
			if g == h {
				same++
			}
		}
	}
	fmt.Println(len(hs), same)
	done := make(chan bool)
	for range 4 {
		go func() {
			defer func() { done <- true }()
			for i := range 200 {
				if unique.Make(i) != unique.Make(i) {
					fmt.Println("differ", i)
				}
			}
		}()
	}
	for range 4 {
		<-done
	}
	defer func() { fmt.Println(recover()) }()
	unique.Make[any]([]int{1})
}
