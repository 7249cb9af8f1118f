// errorcheck
// SPDX-License-Identifier: MIT

package main

func main() {
	a := []int{1, 2 // ERROR "syntax error: unexpected newline in composite literal; possibly missing comma or }"
	}
}
