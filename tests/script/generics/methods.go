// run
// SPDX-License-Identifier: MIT

// Method values and expressions of generic types and of type parameters.
package main

import (
	"fmt"
	"strings"
)

type acc[T any] struct {
	vals []T
	tag  string
}

func (a *acc[T]) add(v T) { a.vals = append(a.vals, v) }
func (a acc[T]) len() int { return len(a.vals) }
func (a acc[T]) join(sep string) string {
	var s []string
	for _, v := range a.vals {
		s = append(s, fmt.Sprint(v))
	}
	return a.tag + strings.Join(s, sep)
}

type adder[T any] interface{ add(T) }

func feed[T any](f func(T), ts ...T) {
	for _, t := range ts {
		f(t)
	}
}

type shouter interface{ shout(n int) string }
type dog struct{ name string }
type cat string

func (d *dog) shout(n int) string { return d.name + strings.Repeat("!", n) }
func (c cat) shout(n int) string  { return strings.Repeat(string(c), n) }

// A method of a parameter, in all its forms.
func shouts[T shouter](t T) []string {
	f := t.shout
	g := T.shout
	h := shouter.shout
	defer func() { t.shout(0) }()
	return []string{t.shout(1), f(2), g(t, 3), h(t, 2)}
}

func each[T any, R any](ts []T, f func(T) R) (out []R) {
	for _, t := range ts {
		out = append(out, f(t))
	}
	return
}

type outer[T any] struct{ *acc[T] }

type stack[T any] []T

func (s stack[T]) top() T { return s[len(s)-1] }

func bound[T any](s stack[T]) func() T { return s.top }

type eq[T comparable] struct{ v T }

func (e eq[T]) is(v T) bool { return e.v == v }

func main() {
	a := &acc[int]{tag: "ints:"}
	feed(a.add, 1, 2)
	put := (*acc[int]).add
	put(a, 3)
	fmt.Println(a.len(), acc[int].len(*a), (*acc[int]).join(a, "+"))
	var i adder[int] = a
	feed(i.add, 4)
	adder[int].add(i, 5)
	o := outer[int]{a}
	feed(o.add, 6)
	outer[int].add(o, 7)
	join := o.join
	a.tag = "late:"
	fmt.Println(join(","), o.join(","))
	fmt.Println(shouts(&dog{"rex"}), shouts(cat("m")), shouts[shouter](cat("x")))
	fmt.Println(each([]cat{"a", "bc"}, func(c cat) string { return c.shout(2) }))
	fmt.Println(each([]stack[int]{{1}, {2, 3}}, stack[int].top))
	f := bound(stack[string]{"x", "y"})
	fmt.Println(f())
	is := eq[any]{1}.is
	fmt.Println(is(1), is("1"))
	defer fmt.Println(a.join("-"))
	defer a.add(9)
}
