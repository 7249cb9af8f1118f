// errorcheck
// SPDX-License-Identifier: MIT

package main

import "fmt"

type T struct{ x int }

func f() int { return missing } // ERROR "undefined: missing"

func main() {
	var t T
	fmt.Println(undef1, t.x) // ERROR "undefined: undef1"
	t.y = 3                  // ERROR "t.y undefined .type T has no field or method y"
	fmt.Printn("x")          // ERROR "undefined: fmt.Printn"
	var u Unknown            // ERROR "undefined: Unknown"
	_ = u
	t.foo()       // ERROR "t.foo undefined"
	fmt.println() // ERROR "fmt.println|not exported"
	for i := range nothing { // ERROR "undefined: nothing"
		_ = i
	}
	goto nowhere // ERROR "label nowhere not defined"
}
