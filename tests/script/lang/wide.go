// run
// SPDX-License-Identifier: MIT

// Values wider than a frame, and expressions of more operands than one
// instruction takes.
package main

import "strings"

type wide [70000]int

type mixed struct {
	a    [40000]string
	b    [100]any
	c, d float64
}

var (
	g    wide
	m, n mixed
)

func ptr(p *wide) *wide { println("ptr"); return p }

func compare() {
	var x wide
	y := x
	println(x == y, x != y)
	y[69999]++
	println(x == y, x != y)
	g = y
	println(g == y, *ptr(&g) == *ptr(&y))
	list := []wide{x, y}
	println(list[0] == x, list[1] == x, list[1] == list[0])
	arr := map[string]*wide{"x": &x}
	println(*arr["x"] == x, x == *arr["x"])
}

func compareMixed() {
	println(m == n)
	m.a[39999] = "s"
	println(m == n)
	n.a[39999] = strings.Repeat("s", 1)
	println(m == n)
	m.b[3] = 1
	n.b[3] = int64(1)
	println(m == n)
	n.b[3] = 1
	println(m == n)
	m.c = m.d / m.d
	n.c = m.c
	println(m == n, m != n)
}

// Copied from memory to memory.
func move() {
	var x wide
	x[7] = 7
	for i, v := range []wide{g, x} {
		x[7]++
		println(i, v == g, v == x, v[7])
	}
	for i, v := range &[2]wide{1: x} {
		v[8] = i
		println(v[7], v[8])
	}
	boxes := []any{x, &x, m, nil}
	x[7] = 0
	for _, b := range boxes {
		switch v := b.(type) {
		case wide:
			println("wide", v[7], v == x)
		case *wide:
			println("pointer", *v == x)
		case mixed, nil:
			println("other", v == nil)
		}
	}
	type pair struct{ a, b wide }
	p := pair{x, g}
	q := &pair{b: p.a, a: p.b}
	println(p == *q, p.a == q.b, p.b == q.a)
}

func failing(name string, f func() bool) {
	defer func() {
		println(name, recover().(error).Error())
	}()
	println(f())
}

func panics() {
	var p *wide
	list := make([]wide, 1)
	failing("left", func() bool { return *p == g })
	failing("right", func() bool { return g == *p })
	failing("index", func() bool { return list[len(list)] == g })
	m.b[3] = []int{}
	n.b[3] = []int{}
	failing("dynamic", func() bool { return m == n })
}

func tick(s *string) string {
	*s += "."
	return *s
}

// More than two levels of parts, and calls in order.
func concat() {
	x := "ab"
	s := x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x +
		x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x +
		x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x +
		x + x + x + x + x + x + x + x + x + x + x + "y" + x + x + x + "z"
	println(len(s), s[100:])
	var t string
	r := tick(&t) + "1" + tick(&t) + "2" + tick(&t) + "3" + tick(&t) + "4" +
		x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x +
		x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x +
		x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x +
		x + x + x + x + x + x + x + x + tick(&t) + "5" + tick(&t) + "6"
	println(len(r), r[:20], r[len(r)-20:])
}

func count(n *int) int { *n++; return *n }

// Constants stand among calls.
func operands() {
	n := 0
	println(1, count(&n), "two", count(&n), 3.5, n, true, count(&n), nil == any(n))
	list := append([]any{}, 1, count(&n), "x", count(&n), 2.5, n)
	for _, v := range list {
		switch v := v.(type) {
		case int:
			print(v, " ")
		case string:
			print(v, " ")
		case float64:
			print(v, " ")
		}
	}
	println(len(list), cap(list))
	a, b, c := 3, 4, 5
	a = a*b + c - a*c + (b-c)*a<<2 - c
	println(a, b, c)
	z := complex(1, 2)
	z = z*z + z - z*z*z/complex(2, 0) + z
	println(real(z), imag(z))
	var u uint8 = 200
	u = u + u - u*3 + u>>1 + u<<1 + 7
	println(u)
}

func main() {
	compare()
	compareMixed()
	move()
	panics()
	concat()
	operands()
}
