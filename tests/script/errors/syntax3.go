// errorcheck
// SPDX-License-Identifier: MIT

package main

import "fmt"

var s = 'ab' // ERROR "more than one character in rune literal"
var t = "\q" // ERROR "unknown escape"
var u = 0x   // ERROR "hexadecimal literal has no digits"
var v = 08   // ERROR "invalid digit '8' in octal literal"
var w = ''   // ERROR "empty rune literal"
var y = 1e   // ERROR "exponent has no digits"
var z = 1__0 // ERROR "'_' must separate successive digits"

func main() {
	fmt.Println(s)
}
