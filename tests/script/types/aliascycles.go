// run
// SPDX-License-Identifier: MIT

// Aliases that definitions above them use, and which stand for types that are
// made of these definitions again.
package main

import "fmt"

type holder struct {
	p  pointer
	r  record
	m  table
	fn function
}

type pointer = *node

type node struct {
	kind int
	next pointer
	f    part
}

type part struct{ p pointer }

type record = struct {
	next *owner
	e    entry
}

type owner struct{ r *record }

type entry struct{ f func(record) record }

type table = map[string]list

type list = []row

type row struct {
	t table
	l list
	f func(table) (list, *holder)
}

type function = func(shape) channel

type channel = chan final

type final = shape

type shape struct {
	a  function
	b  channel
	c  *final
	ch <-chan function
}

func (s shape) call(f function) channel { return f(s) }

func kindOf(p pointer) int {
	if p == nil {
		return 0
	}
	return p.kind
}

func main() {
	h := holder{p: &node{kind: 3}}
	h.p.next = &node{kind: 4, f: part{h.p}}
	fmt.Println(kindOf(nil), kindOf(h.p), kindOf(h.p.next.f.p))

	h.r.next = &owner{&h.r}
	fmt.Println(h.r.next.r.e.f == nil, h.r.next.r == &h.r)

	h.m = table{"x": {{l: list{{}, {}}}}}
	fmt.Println(len(h.m["x"]), len(h.m["x"][0].l), h.m["x"][0].t == nil)

	c := make(channel, 1)
	h.fn = func(s shape) channel { s.b <- final{c: &s}; return s.b }
	fmt.Println((<-shape{b: c}.call(h.fn)).c.b == c)
}
