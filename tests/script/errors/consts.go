// errorcheck
// SPDX-License-Identifier: MIT

package main

const big = 1 << 100

type E uint8

const zero = 0

func main() {
	var i8 int8 = 128   // ERROR "cannot use 128 .*overflows|constant 128"
	var u uint = -1     // ERROR "cannot use -1 .*overflows|constant"
	var i int = big     // ERROR "overflows"
	_ = 1 / zero        // ERROR "division by zero"
	_ = E(256)          // ERROR "overflows|cannot convert"
	_ = int8(1) << 7    // ERROR "overflows"
	_ = [3]int{1, 2, 3, 4} // ERROR "index 3 .*out of bounds"
	_ = "abc"[5]        // ERROR "out of range|out of bounds"
	_ = 1.5 << 2        // ERROR "invalid operation: shifted operand"
	_, _, _ = i8, u, i
	const x = len([]int{1}) // ERROR "is not constant"
}
