// errorcheck
// SPDX-License-Identifier: MIT

package main

import "time"

type T struct{ a int }
type A [2]T

const debug = false

func f() {
	println(T{}, 1) // ERROR "illegal types for operand: print"
	println("x", A{}) // ERROR "illegal types for operand: print"
	print([1]time.Time{}) // ERROR "illegal types for operand: print"
	print(struct { // ERROR "illegal types for operand: print"
		T
		b interface{}
		c any
		d byte
		e rune
		f func(a int, b ...T) (x error)
		g map[string]*T
		H chan<- int `tag:"1"`
		i interface{ M(T) int }
		_ []byte
	}{})
	type L struct{}
	println(L{}) // ERROR "illegal types for operand: print"
	if debug {
		println(T{})
	} else if !debug {
		println(A{}) // ERROR "illegal types for operand: print"
	} else {
		println(L{})
	}
}

func main() {
	defer println(T{}) // ERROR "illegal types for operand: print"
	go print([0]int{}) // ERROR "illegal types for operand: print"
	var t time.Time
	println(t, t, &t) // ERROR "illegal types for operand: print"
}
