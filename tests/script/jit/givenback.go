// run
// SPDX-License-Identifier: MIT

// Addresses of variables that functions are given, do not keep, and give back:
// as results, in results, in each other, or in closures.  Who has got one back
// assigns the variable, which a loop over a function has in a register.
package main

import "fmt"

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

type node struct {
	next *node
	v    int
}

//go:noinline
func id(p *int) *int { return p }

//go:noinline
func (n *node) self() *node { return n }

//go:noinline
func link(a, b *node) *node { a.next = b; return a }

//go:noinline
func chain(b *node) *node { return &node{b, 1} }

//go:noinline
func idf(f func(int)) func(int) { return f }

//go:noinline
func pick(k int, ps ...*node) *node { return ps[k%len(ps)] }

//go:noinline
func hold(p *node) (r struct{ a, b *node }) { r.a, r.b = p, p; return }

//go:noinline
func rec(p *node, k int) (r *node) {
	defer func() {
		if recover() != nil {
			p.v += 7
			r = p
		}
	}()
	if k&1 == 0 {
		panic(k)
	}
	return p
}

//go:noinline
func returned() (s int) {
	p := new(int)
	q := id(p)
	for v := range count(10) {
		*p += v
		*q += 100
		s += *p
	}
	return s
}

//go:noinline
func receiver() (s int) {
	p := &node{}
	q := p.self()
	for v := range count(10) {
		p.v += v
		q.v += 100
		s += p.v
	}
	return s
}

//go:noinline
func linked() (s int) {
	p, q := &node{}, &node{}
	l := link(p, q)
	for v := range count(10) {
		q.v += v
		l.next.v += 100
		s += q.v
		p.next = nil
		p.v += 3
		p.next = q
		s += l.v
	}
	return s
}

//go:noinline
func made() (s int) {
	p := &node{}
	l := chain(p)
	for v := range count(10) {
		p.v += v
		l.next.v += 100
		s += p.v
	}
	return s
}

//go:noinline
func closures() (s int) {
	x := 1
	g := func(k int) { x += k }
	q := idf(g)
	for v := range count(10) {
		x += v
		q(100)
		s += x
		g(1)
		s += x
	}
	return s
}

//go:noinline
func oneOf() (s int) {
	p, q := &node{}, &node{}
	for v := range count(10) {
		p.v += v
		pick(v, p, q).v += 100
		s += p.v + 3*q.v
	}
	return s
}

//go:noinline
func pair() (s int) {
	p := &node{}
	h := hold(p)
	for v := range count(10) {
		p.v += v
		h.b.v += 100
		s += p.v
	}
	return s
}

//go:noinline
func recovered() (s int) {
	p := &node{}
	for v := range count(10) {
		p.v += v
		q := rec(p, v)
		s += p.v
		q.v += 100
		s += p.v
	}
	return s
}

//go:noinline
func through() (s int) {
	p := &node{}
	q := &node{}
	p.next = q
	r := p.self().next
	for v := range count(10) {
		q.v += v
		r.v += 100
		s += q.v
		p.next.v *= 2
		s += q.v
	}
	return s
}

//go:noinline
func inner() (s int) {
	for v := range count(10) {
		p := new(int)
		for w := range count(3) {
			q := id(p)
			*p += w
			*q += 10 * v
			s += *p
		}
	}
	return s
}

//go:noinline
func elements() (s int) {
	p := &node{}
	l := []*node{p, nil}
	for v := range count(10) {
		p.v += v
		l[v&1] = p
		l[0].v += 100
		s += p.v
	}
	return s
}

//go:noinline
func interfaces() (s int) {
	p := &node{}
	var i any = p
	for v := range count(10) {
		p.v += v
		i.(*node).v += 100
		s += p.v
	}
	return s
}

//go:noinline
func captured() (s int) {
	p := new(int)
	f := func() *int { return p }
	q := f()
	for v := range count(10) {
		*p += v
		*q += 100
		s += *p
		*f() += 1
		s += *p
	}
	return s
}

//go:noinline
func parts() (s int) {
	a := new([4]int)
	sl := a[1:3]
	for v := range count(10) {
		a[1] += v
		sl[0] += 100
		s += a[1]
		a[v&3] += 2
		s += a[1]
		for i := range sl {
			sl[i]++
		}
		s += a[1]
	}
	return s
}

//go:noinline
func twice() (s int) {
	p := new(int)
	pp := &p
	for v := range count(10) {
		**pp += 100
		s += *p
		*pp = new(int)
		*p += v
		s += **pp
	}
	return s
}

//go:noinline
func either() int {
	p, r := new(int), new(int)
	s := 0
	for v := range count(10) {
		q := p
		if v&1 != 0 {
			q = r
		}
		*p += v
		*r ^= v
		*q += 100
		s += *p - 3**r
	}
	return s
}

func main() {
	for t := 0; t < 3000; t++ {
		w := fmt.Sprint(returned(), receiver(), linked(), made(), closures(), oneOf(), pair(),
			recovered(), through(), inner(), elements(), interfaces(), captured(), parts(), twice(),
			either())
		if t == 0 || t == 99 || t == 2999 {
			fmt.Println(w)
		}
	}
}
