// run
// SPDX-License-Identifier: MIT

package main

import "fmt"

// Values too large for a frame are copied in memory: what is assigned to
// blank, and what is assigned at once.

type big [100000]int

type pair struct {
	b big
	n int
}

func attempt(what string, f func()) {
	defer func() { fmt.Println(what, recover()) }()
	f()
}

func swap() {
	var x, y big
	x[5], y[5] = 1, 2
	x, y = y, x
	fmt.Println(x[5], y[5])

	a := [3]big{{1}, {2}, {3}}
	i := 0
	i, a[i], a[1], a[2] = 2, a[1], a[2], a[0]
	fmt.Println(i, a[0][0], a[1][0], a[2][0])

	p, q := &pair{n: 1}, &pair{n: 2}
	p.b[9], q.b[9] = 3, 4
	*p, *q = *q, *p
	p.b, q.b = q.b, p.b
	fmt.Println(p.n, p.b[9], q.n, q.b[9])

	_, x = y, big{6, 7}
	fmt.Println(x[1], x[5])
}

func main() {
	var x big
	x[99999] = 1
	_ = x
	fmt.Println(x[99999])
	swap()
	var p *pair
	s := []big{}
	i := 4
	attempt("blank of a nil pointer:", func() { _ = *p })
	attempt("blank of a field behind one:", func() { _ = p.b })
	attempt("blank of an element:", func() { _ = s[i] })
	attempt("two at once:", func() { var y big; x, y = y, *(*big)(nil); _ = y })
	fmt.Println(x[99999])
}
