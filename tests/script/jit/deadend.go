// run
// SPDX-License-Identifier: MIT

// Small functions one branch of which calls and then panics.  The collector
// comes there, and looks at the callers' frames as if the call returned.
package main

import (
	"fmt"
	"runtime"
)

type node struct {
	n    int
	next *node
}

//go:noinline
func junk(a, b, c, d, e, f int) int {
	p, q, r, s := a*3, b*5, c*7, d*11
	for i := 0; i < e; i++ {
		p, q, r, s = q+f, r-p, s+q, p^r
	}
	return p + q + r + s
}

//go:noinline
func complain(i int) string {
	runtime.GC()
	return fmt.Sprint("no element ", i)
}

func at(v []*node, i int) *node {
	if i >= len(v) {
		panic(complain(i))
	}
	return v[i]
}

func forever(v []*node, i int) *node {
	for i >= len(v) {
		complain(i)
		if i > 1000 {
			panic("far")
		}
		i *= 2
	}
	return v[i]
}

func inner(v []*node, i int) int { return at(v, i).n + forever(v, i+1).n }

func sum(v []*node, n int) (total int, err any) {
	defer func() { err = recover() }()
	return walk(v, n), nil
}

//go:noinline
func walk(v []*node, n int) int {
	total := 0
	for i := 0; i < n; i++ {
		p := &node{i, nil}
		q := &node{i + 1, p}
		total += inner(v, i)
		total += q.n + q.next.n + p.n
		v[i].next = q
	}
	return total
}

func main() {
	var v []*node
	for i := 0; i < 40; i++ {
		v = append(v, &node{i, nil})
	}
	for i := 0; i < 50; i++ {
		junk(i<<40, i<<33, -1, 1<<62, 100, i)
		fmt.Println(sum(v, 39+i%2))
	}
}
