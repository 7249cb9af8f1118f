// errorcheck
// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"os"             // ERROR ".os. imported and not used"
	str "strings"    // ERROR ".strings. imported as str and not used"
	_ "unicode/utf8"
)

func f(param int) (res int) {
	return 1
}

func main() {
	a := 1 // ERROR "declared and not used: a"
	var b string // ERROR "declared and not used: b"
	c, d := f(1), 2 // ERROR "declared and not used: d"
	c++
	for i, v := range []int{} { // ERROR "declared and not used: v"
		_ = i
	}
	switch x := interface{}(c).(type) { // ERROR "declared and not used"
	case int:
	}
	func() {
		e := 5 // ERROR "declared and not used: e"
		e = 6
	}()
	fmt.Println()
unused: // ERROR "label unused defined and not used"
	_ = c
}
