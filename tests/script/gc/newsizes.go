// run

package main

import (
	"fmt"
	"runtime"
)

// Values of all small sizes and pointer masks, allocated in turn, so that no
// window serves one of them for long: each must be zero and its own, and what
// it points to must stay.

// Two words: what shares no block with others.
type num struct{ i, j int }
type p1 struct{ a *num }
type p2 struct {
	a *num
	b int
}
type q2 struct {
	b int
	a *num
}
type p3 struct {
	a *num
	b int
	c *num
}
type p5 struct {
	a *num
	b [3]int
	c *num
}
type p8 struct {
	a *num
	b [6]int
	c *num
}
type p9 struct {
	a *num
	b [7]int
	c *num
}
type n2 struct{ a, b int }
type n3 struct{ a, b, c int }
type n7 struct{ a [7]int }
type n8 struct{ a [8]int }
type n1 struct{ a int }
type empty struct{}

//go:noinline
func number(i int) *num {
	p := new(num)
	if *p != (num{}) {
		panic("not zero")
	}
	p.i = i
	return p
}

type all struct {
	i  int
	a  *p1
	b  *p2
	c  *q2
	d  *p3
	e  *p5
	f  *p8
	g  *p9
	h  *n1
	j  *n2
	k  *n3
	l  *n7
	m  *n8
	n  *empty
	up *all
}

func fresh(i int) *all {
	x := &all{i: i}
	x.a, x.b, x.c, x.d = new(p1), new(p2), new(q2), new(p3)
	x.e, x.f, x.g = new(p5), new(p8), new(p9)
	x.h, x.j, x.k, x.l, x.m, x.n = new(n1), new(n2), new(n3), new(n7), new(n8), new(empty)
	if *x.a != (p1{}) || *x.b != (p2{}) || *x.c != (q2{}) || *x.d != (p3{}) ||
		*x.e != (p5{}) || *x.f != (p8{}) || *x.g != (p9{}) || *x.h != (n1{}) ||
		*x.j != (n2{}) || *x.k != (n3{}) || *x.l != (n7{}) || *x.m != (n8{}) ||
		x.up != nil {
		panic("not zero")
	}
	return x
}

func set(x *all) {
	i := x.i
	x.a.a = number(i)
	*x.b = p2{number(i + 1), -1}
	*x.c = q2{-1, number(i + 2)}
	*x.d = p3{number(i + 3), -1, number(i + 4)}
	*x.e = p5{number(i + 5), [3]int{-1, -1, -1}, number(i + 6)}
	*x.f = p8{number(i + 7), [6]int{-1, 5: -1}, number(i + 8)}
	*x.g = p9{number(i + 9), [7]int{-1, 6: -1}, number(i + 10)}
	x.h.a = -1
	*x.j = n2{-1, -1}
	*x.k = n3{-1, -1, -1}
	x.l.a[6], x.m.a[7] = -1, -1
}

func check(x *all) bool {
	i := x.i
	return x.a.a.i == i && x.b.a.i == i+1 && x.c.a.i == i+2 && x.d.a.i == i+3 &&
		x.d.c.i == i+4 && x.e.a.i == i+5 && x.e.c.i == i+6 && x.f.a.i == i+7 &&
		x.f.c.i == i+8 && x.g.a.i == i+9 && x.g.c.i == i+10 && x.h.a == -1 &&
		*x.j == n2{-1, -1} && *x.k == n3{-1, -1, -1} && x.l.a[6] == -1 &&
		x.m.a[7] == -1
}

// Small lists of one type only: the window's own way.
func list(n int) int {
	type node struct {
		next *node
		v    int
	}
	var head *node
	for i := 0; i < n; i++ {
		x := new(node)
		if x.next != nil || x.v != 0 {
			panic("not zero")
		}
		x.next, x.v = head, i
		head = x
	}
	sum := 0
	for ; head != nil; head = head.next {
		sum += head.v
	}
	return sum
}

func main() {
	var last *all
	bad := 0
	for i := 0; i < 2000; i++ {
		x := fresh(100 * i)
		set(x)
		x.up = last
		last = x
		if i%500 == 0 {
			runtime.GC()
		}
		if i%100 == 99 {
			last.up.up = nil // the rest is garbage
		}
	}
	runtime.GC()
	for i := 0; i < 20000; i++ { // where something has been freed
		last.a.a.j += number(-1).i
	}
	for x := last; x != nil; x = x.up {
		if !check(x) {
			bad++
		}
	}
	fmt.Println(bad, "bad", list(3000))
}
