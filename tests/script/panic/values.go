// panic
// SPDX-License-Identifier: MIT

package main

import "fmt"

type T struct{ a int }
type S string

func (T) String() string { return "stringer" }

type E struct{}

func (E) Error() string { return "E" }

func try(v interface{}) {
	defer func() {
		fmt.Printf("%T %v\n", v, recover())
	}()
	panic(v)
}

func main() {
	try(1)
	try("s")
	try(T{1})
	try(E{})
	defer func() { panic(S("last")) }()
	defer func() { panic(1.5) }()
	panic(fmt.Errorf("wrapped: %w", E{}))
}
