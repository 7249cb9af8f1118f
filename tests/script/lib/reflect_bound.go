// run
// SPDX-License-Identifier: MIT

// Which values of methods have the same code: programs that are given one look
// for it again by that, such as to unsubscribe it.
package main

import (
	"fmt"
	"reflect"
)

type counter struct{ n int }

func (c *counter) Add()           { c.n++ }
func (c counter) Get() int        { return c.n }
func (c counter) Less(d int) bool { return c.n < d }

type around struct{ *counter }

type getter interface{ Get() int }
type wider interface {
	getter
	Add()
}

type list[T any] struct{ v []T }

func (l *list[T]) Len() int { return len(l.v) }

func code(fn any) uintptr { return reflect.ValueOf(fn).Pointer() }

func elsewhere(c *counter) uintptr { return code(c.Add) }

func main() {
	c, d := &counter{1}, &counter{2}
	a := around{c}
	fmt.Println(code(c.Add) == code(c.Add), code(c.Add) == code(d.Add),
		code(c.Add) == elsewhere(c), code((*c).Get) == code(d.Get))
	fmt.Println(code(c.Add) == code(c.Get), code(c.Get) == code(c.Less),
		code(c.Add) == code((*counter).Add), code(a.Add) == code(c.Add))
	add, get, less := c.Add, d.Get, d.Less
	add()
	d.Add()
	fmt.Println(c.n, get(), less(3), less(2), code(add) == code(c.Add))
	for i := range 3 {
		e := &counter{i}
		add, get := e.Add, e.Get
		add()
		fmt.Println(e.n, get(), code(add) == code(c.Add), code(get) == code(d.Get))
	}
	l, m := &list[int]{[]int{1}}, &list[string]{[]string{"a", "b"}}
	fmt.Println(l.Len(), m.Len(), func(f, g func() int) int { return 10*f() + g() }(l.Len, m.Len))
	fmt.Println(code(l.Len) == code(l.Len), code(l.Len) == code(m.Len))
	var g, h getter = c, counter{7}
	var w wider = c
	fmt.Println(code(g.Get) == code(g.Get), code(g.Get) == code(h.Get),
		code(g.Get) == code(w.Get), code(g.Get) == code(c.Get))
	before, other := code(g.Get), code(w.Get)
	fmt.Println(before == code(g.Get), other == code(w.Get))
	fmt.Println(func(f, g func() int) int { return 10*f() + g() }(g.Get, h.Get))
	var s fmt.Stringer = reflect.ValueOf(3)
	fmt.Println(s.String(), func(f func() string) string { return f() }(s.String))
}
