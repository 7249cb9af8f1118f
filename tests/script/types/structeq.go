// run
// SPDX-License-Identifier: MIT

// Equality of structs: what is compared, and what panics.
package main

import "fmt"

type S struct {
	a string
	_ int
	b any
	c string
	d float64
}

func eq(x, y any) (r any) {
	defer func() {
		if e := recover(); e != nil {
			r = e
		}
	}()
	return x == y
}

func main() {
	u := S{"a", 1, 2, "c", 1}
	for _, v := range []S{u, {"a", 2, 2, "c", 1}, {"b", 1, 2, "c", 1}, {"aa", 1, 2, "c", 1}, {"a", 1, 2, "cc", 1}, {"a", 1, 2, "c", 2}, {"a", 1, []int{}, "cc", 2}, {"ab", 1, []int{}, "cc", 2}} {
		fmt.Println(eq(u, v), eq(v, u), eq(v, v))
		w := v
		w.d++
		fmt.Println(eq(v, w))
	}
	m := map[S]int{u: 1}
	m[S{a: "x"}] = 3
	fmt.Println(m[u], m[S{a: "x"}], m[S{a: "y"}])
}
