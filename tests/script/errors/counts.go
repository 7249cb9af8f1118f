// errorcheck
// SPDX-License-Identifier: MIT

package main

func two() (int, string)       { return 1, "a" }
func want(a int, b string)     {}
func vari(a int, b ...string)  {}
func ret() (int, error) {
	return 1 // ERROR "not enough return values"
}
func ret2() int {
	return 1, 2 // ERROR "too many return values"
}
func noret() {
	return 1 // ERROR "too many return values"
}

func main() {
	a, b, c := two() // ERROR "assignment mismatch: 3 variables but two(..)? returns 2 values"
	x := two()       // ERROR "assignment mismatch: 1 variable but two(..)? returns 2 values"
	want(1)          // ERROR "not enough arguments in call to want"
	want(1, "a", 2)  // ERROR "too many arguments in call to want"
	want(two())
	vari()           // ERROR "not enough arguments in call to vari"
	var p, q = 1, 2, 3 // ERROR "assignment mismatch: 2 variables but 3 values|extra init expr"
	_, _, _, _, _, _ = a, b, c, x, p, q
}
