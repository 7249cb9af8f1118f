// run
// SPDX-License-Identifier: MIT

// Interfaces: dynamic dispatch, assertions, comparison, nil, embedding.
package main

import (
	"errors"
	"fmt"
	"io"
)

type Shape interface {
	Area() float64
	Name() string
}
type Scaler interface{ Scale(float64) Shape }
type ScalableShape interface {
	Shape
	Scaler
}
type Sq struct{ s float64 }
type Circ struct{ r float64 }

func (s Sq) Area() float64         { return s.s * s.s }
func (s Sq) Name() string          { return "square" }
func (c *Circ) Area() float64      { return 3 * c.r * c.r }
func (c *Circ) Name() string       { return "circle" }
func (s Sq) Scale(k float64) Shape { return Sq{s.s * k} }

type E string

func (e E) Error() string { return "E:" + string(e) }

type PE struct{}

func (*PE) Error() string { return "PE" }

func mayFail(n int) error {
	var p *PE
	switch n {
	case 0:
		return nil
	case 1:
		return E("one")
	case 2:
		return p
	}
	return errors.New("plain")
}

type rw struct{ buf []byte }

func (r *rw) Read(p []byte) (int, error) {
	if len(r.buf) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.buf)
	r.buf = r.buf[n:]
	return n, nil
}
func (r *rw) Write(p []byte) (int, error) {
	r.buf = append(r.buf, p...)
	return len(p), nil
}

type small int8
type fn func()
type wide struct{ a, b, c int }

func (small) M() string { return "small" }
func (fn) M() string    { return "fn" }
func (wide) M() string  { return "wide" }

type Mer interface{ M() string }

func main() {
	shapes := []Shape{Sq{2}, &Circ{1}, Sq{3}, Sq{2}}
	total := 0.0
	for _, s := range shapes {
		total += s.Area()
		_, ok := s.(Scaler)
		_, ok2 := s.(ScalableShape)
		fmt.Print(s.Name(), ok, ok2, " ")
	}
	fmt.Println(total)
	fmt.Println(shapes[0] == shapes[3], shapes[0] == shapes[2], shapes[1] == shapes[1], shapes[1] == Shape(&Circ{1}))
	fmt.Println(shapes[0].(Scaler).Scale(2).Area(), shapes[0] == Sq{2})

	for i := 0; i < 4; i++ {
		err := mayFail(i)
		fmt.Println(i, err == nil, err)
	}
	var s Shape
	var c *Circ
	fmt.Println(s == nil, c == nil)
	s = c
	fmt.Println(s == nil, s.Name(), s == Shape((*Circ)(nil)))
	var any_ interface{} = s
	_, isShape := any_.(Shape)
	fmt.Println(isShape, any_ == nil)

	x := &rw{}
	var w io.Writer = x
	io.WriteString(w, "hello reader")
	r := w.(io.Reader)
	b := make([]byte, 5)
	for {
		n, err := r.Read(b)
		if err == io.EOF {
			break
		}
		fmt.Printf("%q ", b[:n])
	}
	fmt.Println()
	for _, m := range []Mer{small(1), fn(func() {}), wide{1, 2, 3}, &wide{}} {
		fmt.Printf("%T:%s ", m, m.M())
	}
	fmt.Println()

	keys := map[interface{}]int{1: 1, "1": 2, 1.0: 3, int8(1): 4, [1]int{1}: 5, struct{ a int }{1}: 6, nil: 7, true: 8, 'x': 9}
	fmt.Println(keys[1], keys["1"], keys[1.0], keys[int8(1)], keys[[1]int{1}], keys[nil], keys[true], keys[int32('x')], keys[uint(1)], len(keys))
	vals := []interface{}{1, int64(1), 1.5, "s", nil, []int(nil), Sq{1}, true}
	for i, a := range vals {
		for j, b := range vals {
			if i != 5 && j != 5 && (a == b) != (i == j) {
				fmt.Println("bad", i, j)
			}
		}
	}
	if v, ok := any_.(*Circ); ok {
		fmt.Println("is *Circ", v == nil)
	}
	try := func(f func()) {
		defer func() { fmt.Println(recover()) }()
		f()
	}
	try(func() { _ = any_.(Sq) })
	try(func() { _ = any_.(Scaler) })
	try(func() { _ = any_.(interface{ Missing() }) })
	try(func() { any_ = nil; _ = any_.(Shape) })
	try(func() { any_ = 5; _ = any_.(string) })
	try(func() { var e error; _ = e.Error() })
	try(func() { s = Sq{1}; _ = s.(*Circ) })
	type local struct{ any }
	fmt.Println(local{3}, local{nil}, local{local{"x"}})
	var e1 error = E("a")
	var e2 interface{} = E("a")
	fmt.Println(e1 == e2, e2 == E("a"))
}
