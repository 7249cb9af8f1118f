// run
// SPDX-License-Identifier: MIT

// A blank in parentheses takes what it is given.
package main

import "fmt"

func two() (int, string) { return 1, "two" }

func main() {
	(_) = 0
	var s string
	(_), s = two()
	((_)), (s) = 1, s+"!"
	for (_) = range 2 {
	}
	fmt.Println(s)
}
