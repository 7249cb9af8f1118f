// errorcheck
// SPDX-License-Identifier: MIT

// Literals with elements that are not for them.
package main

var (
	_ = []*int{0} // ERROR "cannot use 0 \(untyped int constant\) as \*int value in array or slice literal"
	_ = []bool{1} // ERROR "cannot use 1 \(untyped int constant\) as bool value in array or slice literal"
	_ = [2]int{1, 2, 3} // ERROR "index 2 is out of bounds \(>= 2\)"
	_ = [2]int{2: 1} // ERROR "invalid argument: index 2 out of bounds \[0:2\]"
	_ = [2]int{0x2: 1} // ERROR "invalid argument: index 2 out of bounds \[0:2\]"
	_ = []int{1: 1, 0x1: 2} // ERROR "duplicate index 1 in array or slice literal"
	_ = struct{ a int8 }{300} // ERROR "cannot use 300 \(untyped int constant\) as int8 value in struct literal \(overflows\)"
	_ = struct{ a int8 }{1, 2} // ERROR "too many values in struct literal of type struct\{a int8\}"
	_ = []nothing{1} // ERROR "undefined: nothing"
)

func f[T int8 | string]() []T { return []T{1} } // ERROR "cannot use 1 \(untyped int constant\) as T value in array or slice literal"

func main() {}
