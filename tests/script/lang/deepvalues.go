// run
// SPDX-License-Identifier: MIT

// Values that hold others a long way down: equality, map keys, and panics
// from the bottom.
package main

import "fmt"

type last struct{ v any }

type first struct {
	v any
	n int
}

type both struct{ v [2]any }

func build(f func(any) any, end any) any {
	v := end
	for i := 0; i < 100000; i++ {
		v = f(v)
	}
	return v
}

func try(what string, f func() any) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(what, r)
		}
	}()
	fmt.Println(what, f())
}

func main() {
	for _, f := range []func(any) any{
		func(v any) any { return last{v} },
		func(v any) any { return first{v, 1} },
		func(v any) any { return both{[2]any{v, 1.5}} },
	} {
		a, b, c := build(f, 1), build(f, 1), build(f, 2)
		s, t := build(f, []int{1}), build(f, []int{1})
		try("equal", func() any { return a == b })
		try("equal", func() any { return a == c })
		try("equal", func() any { return s == t })
		m := map[any]int{}
		try("set", func() any { m[a] = 1; m[c] = 2; return len(m) })
		try("get", func() any { return m[b] + 10*m[c] })
		try("get", func() any { return m[s] })
	}
}
