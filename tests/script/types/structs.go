// run
// SPDX-License-Identifier: MIT

// Structs: literals, copying, comparison, nesting, anonymous types.
package main

import "fmt"

type Point struct{ X, Y int }
type Line struct {
	A, B Point
	Name string
}
type Mixed struct {
	a int8
	b int64
	c bool
	d float32
	e string
	f [3]byte
	g *Point
	h interface{}
	_ int
}
type Empty struct{}
type Nested struct {
	in struct {
		x int
		y struct{ z string }
	}
	arr [2]struct{ p Point }
}

func byValue(l Line) Line { l.A.X = 99; return l }
func byPtr(l *Line)       { l.A.X = 77 }
func ret() (p Point)      { p.X = 5; return }

func main() {
	p := Point{1, 2}
	q := p
	q.X = 10
	fmt.Println(p, q, p == q, p == Point{1, 2}, p != Point{Y: 2})
	l := Line{A: p, Name: "l"}
	m := byValue(l)
	fmt.Println(l, m, l == m)
	byPtr(&l)
	fmt.Printf("%v %+v %#v\n", l, l, l)
	pl := &l
	pl.B.Y = 8
	pb := &pl.B
	pb.X++
	px := &pb.X
	*px *= 5
	fmt.Println(*pl, l.B.X, (*pl).Name)
	mx := Mixed{a: -1, b: 1 << 40, c: true, d: 1.5, e: "e", f: [3]byte{1, 2, 3}, g: &p, h: p}
	my := mx
	fmt.Println(mx == my, mx.b, mx.f, *mx.g, mx.h)
	my.f[1]++
	fmt.Println(mx == my, mx.f, my.f)
	my = mx
	my.h = Point{1, 2}
	fmt.Println(mx == my)
	my.h = 5
	fmt.Println(mx == my)
	var n Nested
	n.in.y.z = "deep"
	n.arr[1].p.Y = 4
	n2 := n
	n2.arr[0].p.X = 3
	fmt.Printf("%+v %+v %v\n", n, n2, n == n2)
	anon := struct {
		Point
		tag string
	}{Point{3, 4}, "t"}
	fmt.Println(anon.X, anon.Point, anon.tag, anon)
	fmt.Println(Empty{} == Empty{}, struct{}{} == Empty{})
	m2 := map[Point]string{{1, 2}: "a", {3, 4}: "b"}
	m2[Point{5, 6}] = "c"
	fmt.Println(m2[p], m2[Point{3, 4}], len(m2), m2[ret()] == "")
	sp := []*Point{{1, 1}, {2, 2}}
	ss := []Point{{1, 1}, {2, 2}}
	for i := range ss {
		ss[i].X *= 10
		sp[i].Y *= 10
	}
	for _, v := range ss {
		v.X = 0
	}
	fmt.Println(ss, *sp[0], *sp[1])
	arr := [2]Line{{Name: "x"}, {Name: "y"}}
	arr[0], arr[1] = arr[1], arr[0]
	fmt.Println(arr[0].Name, arr[1].Name)
	ms := map[string]Point{"k": {1, 2}}
	v := ms["k"]
	v.X = 50
	fmt.Println(ms["k"], v, ms["none"])
	var e1, e2 interface{} = p, Point{1, 2}
	fmt.Println(e1 == e2, e1 == interface{}(&p), e1.(Point).Y)
	ch := make(chan Line, 1)
	ch <- l
	l.Name = "changed"
	fmt.Println((<-ch).Name, l.Name)
	f := func() (a, b Point) { return Point{1, 1}, Point{2, 2} }
	a, b := f()
	a, b = b, a
	fmt.Println(a, b, func() Point { return a }().X)
	type rec struct {
		v    int
		next *rec
	}
	var list *rec
	for i := 0; i < 3; i++ {
		list = &rec{i, list}
	}
	for r := list; r != nil; r = r.next {
		fmt.Print(r.v, " ")
	}
	fmt.Println()
	func() {
		defer func() { fmt.Println(recover()) }()
		x := struct{ f interface{} }{func() {}}
		fmt.Println(x == x)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var nl *Line
		fmt.Println(nl.B.Y)
	}()
}
