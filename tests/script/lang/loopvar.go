// run
// SPDX-License-Identifier: MIT

// Each iteration of a for loop has its own copy of the loop's variables.
package main

import "fmt"

func main() {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { return i })
	}
	for _, f := range fs {
		fmt.Print(f(), " ")
	}
	fmt.Println()

	var ps []*int
	for i := 0; i < 6; i++ {
		ps = append(ps, &i)
		i++
	}
	for _, p := range ps {
		fmt.Print(*p, " ")
	}
	fmt.Println(ps[0] != ps[1])

	// A closure made in one iteration sees its changes until the copy.
	var late []func()
	for i, s := 0, ""; i < 3; i, s = i+1, s+"x" {
		inc := func() { i += 0; s += "!" }
		inc()
		late = append(late, func() { fmt.Print(i, s, " ") })
	}
	for _, f := range late {
		f()
	}
	fmt.Println()

	m := map[string]*int{}
	for i, k := range []string{"a", "b", "c"} {
		m[k] = &i
	}
	fmt.Println(*m["a"], *m["b"], *m["c"])

	var gs []func() string
	for i, c := range "h\u00e9y" {
		gs = append(gs, func() string { return fmt.Sprint(i, string(c)) })
	}
	for _, g := range gs {
		fmt.Print(g(), " ")
	}
	fmt.Println()

	// The condition and the post statement work on the newest copy.
	var conds []func() bool
	for i := 0; func() bool { conds = append(conds, func() bool { return i > 1 }); return i < 3 }(); i++ {
	}
	for _, c := range conds {
		fmt.Print(c(), " ")
	}
	fmt.Println()

	// A variable declared outside stays one variable.
	var j int
	var hs []func() int
	for j = 0; j < 3; j++ {
		hs = append(hs, func() int { return j })
	}
	for _, h := range hs {
		fmt.Print(h(), " ")
	}
	fmt.Println()

	for i := range 3 {
		defer func() { fmt.Println("deferred", i) }()
		i *= 10
	}
outer:
	for i := 0; i < 3; i++ {
		for k := 0; k < 3; k++ {
			if k == 1 {
				continue outer
			}
			fs = append(fs, func() int { return i*10 + k })
		}
	}
	for _, f := range fs[3:] {
		fmt.Print(f(), " ")
	}
	fmt.Println()
	// goto out and in again starts with fresh variables.
	n := 0
again:
	for i := n; i < n+1; i++ {
		ps = append(ps, &i)
	}
	if n++; n < 3 {
		goto again
	}
	fmt.Println(*ps[3], *ps[4], *ps[5])
}
