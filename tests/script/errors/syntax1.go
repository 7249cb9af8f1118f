// errorcheck
// SPDX-License-Identifier: MIT

package main

func f(a int, b) {} // ERROR "syntax error: missing parameter type"

func g() {
	x := = 3 // ERROR "syntax error: unexpected =, expected expression"
}

func h() {
	if { // ERROR "missing condition in if statement"
	}
}

type T struct {
	a int,  // ERROR "syntax error: unexpected comma"
}

func i() int {
	return 1 +  // comment
} // ERROR "syntax error: unexpected }, expected expression"

func j() {
	var 3x int // ERROR "syntax error: unexpected literal 3, expected name"
}
