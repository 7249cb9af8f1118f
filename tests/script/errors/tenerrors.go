// errorcheck
// SPDX-License-Identifier: MIT

package main

func main() {
	a1 = 1 // ERROR "undefined: a1"
	a2 = 1 // ERROR "undefined: a2"
	a3 = 1 // ERROR "undefined: a3"
	a4 = 1 // ERROR "undefined: a4"
	a5 = 1 // ERROR "undefined: a5"
	a6 = 1 // ERROR "undefined: a6"
	a7 = 1 // ERROR "undefined: a7"
	a8 = 1 // ERROR "undefined: a8"
	a9 = 1 // ERROR "undefined: a9"
	a10 = 1 // ERROR "undefined: a10"
	a11 = 1
	a12 = 1
}
