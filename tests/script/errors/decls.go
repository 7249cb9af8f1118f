// errorcheck
// SPDX-License-Identifier: MIT

package main

import "fmt"
import "fmt" // ERROR "fmt redeclared in this block"

type T struct {
	a int
	a string // ERROR "a redeclared"
}

func (T) m() {}
func (T) m() {} // ERROR "method T.m already declared"
func (T) a() {} // ERROR "field and method with the same name a"

type I interface {
	x()
	x() // ERROR "duplicate method x"
}

var v = 1
var v = 2 // ERROR "v redeclared in this block"

func f(p int, p string) {} // ERROR "p redeclared in this block"
func main() {
	a := 1
	a := 2    // ERROR "no new variables on left side of :="
	fmt.Println(a)
	switch a {
	case 1:
	case 1: // ERROR "duplicate case 1 .*in expression switch"
	}
	_ = map[string]int{"k": 1, "k": 2} // ERROR "duplicate key .k. in map literal"
}
