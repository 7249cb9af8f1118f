// run
// SPDX-License-Identifier: MIT

// What package fmt shows of a func is the address that package reflect says, where
// its code begins: the same for all closures of one function literal.
package main

import (
	"fmt"
	"reflect"
)

type T struct{ n int }

func (t T) get() int { return t.n }

type named func(int) int

func top() {}

//go:noinline
func counter(n int) func() int {
	return func() int { n++; return n }
}

func check(what string, f any) {
	v := reflect.ValueOf(f)
	want := fmt.Sprintf("%#x", v.Pointer())
	hex := want[2:]
	ok := true
	for _, c := range []struct{ format, want string }{
		{"%p", want}, {"%#p", hex}, {"%v", want}, {"%x", hex}, {"%d", fmt.Sprint(v.Pointer())},
		{"%#v", fmt.Sprintf("(%T)(%s)", f, want)},
	} {
		if got := fmt.Sprintf(c.format, f); got != c.want {
			ok = false
			fmt.Println(what, c.format, "differs")
		}
	}
	ok = ok && fmt.Sprintf("%p", v.UnsafePointer()) == want && fmt.Sprint(v) == want
	ok = ok && fmt.Sprint([]any{f}) == "["+want+"]"
	fmt.Println(what, ok)
}

func main() {
	check("function", top)
	check("literal", func() {})
	check("closure", counter(1))
	check("method value", T{3}.get)
	check("method expression", T.get)
	check("named", named(func(i int) int { return i }))
	a, b := counter(1), counter(2)
	fmt.Println(fmt.Sprint(a) == fmt.Sprint(b), fmt.Sprintf("%p", a) == fmt.Sprintf("%p", b))
	var none func()
	fmt.Printf("%v %p %#v %d\n", none, none, none, none)
	s := struct{ f func() int }{a}
	fmt.Println(fmt.Sprint(s) == "{"+fmt.Sprint(b)+"}")
}
