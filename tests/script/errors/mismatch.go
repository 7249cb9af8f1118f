// errorcheck
// SPDX-License-Identifier: MIT

package main

type A struct{ n int }
type Num int

func two() (int, string) { return 1, "a" }
func none()              {}

func main() {
	var i int = "string" // ERROR "cannot use .string. .untyped string constant. as int value in variable declaration"
	var s string = 5     // ERROR "cannot use 5 .untyped int constant. as string value in variable declaration"
	i = 1.5              // ERROR "constant 1.5|truncated"
	var n Num = i        // ERROR "cannot use i .variable of type int. as Num value in variable declaration"
	_ = i + n            // ERROR "invalid operation: i . n .mismatched types int and Num"
	_ = s && true        // ERROR "invalid operation|mismatched|operator && not defined"
	_ = !i               // ERROR "operator ! not defined on i"
	if i {               // ERROR "non-boolean condition in if statement"
	}
	_ = A{1} == 3 // ERROR "invalid operation|mismatched types|cannot convert"
	x := none()   // ERROR "none.. .no value. used as value"
	_ = x
}
