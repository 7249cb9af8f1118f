// errorcheck
// SPDX-License-Identifier: MIT

package main

var list []string = number() // ERROR "cannot use number\(\) \(value of type float64\) as \[\]string value in variable declaration"

var table = []bool{
	list == list, // ERROR "invalid operation: list == list \(slice can only be compared to nil\)"
	list != list, // ERROR "invalid operation: list != list \(slice can only be compared to nil\)"
	list < list, // ERROR "invalid operation: list < list \(operator < not defined on slice\)"
	list > list, // ERROR "invalid operation: list > list \(operator > not defined on slice\)"
	list <= list, // ERROR "invalid operation: list <= list \(operator <= not defined on slice\)"
	list >= list, // ERROR "invalid operation: list >= list \(operator >= not defined on slice\)"
	list == "a", // ERROR "invalid operation: list == .a. \(mismatched types \[\]string and untyped string\)"
	list != "a", // ERROR "invalid operation: list != .a. \(mismatched types \[\]string and untyped string\)"
	list < "a", // ERROR "invalid operation: list < .a. \(mismatched types \[\]string and untyped string\)"
	list > "a",
}

func number() float64 { return 1 }

func main() { _ = table }
