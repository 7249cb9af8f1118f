// errorcheck
// SPDX-License-Identifier: MIT

package main

func f() {}

type T struct{ a int }

func main() {
	var x int
	var c chan int
	var r <-chan int
	var m map[string]T
	break         // ERROR "break is not in a loop, switch, or select"
	continue      // ERROR "continue is not in a loop"
	x == 1        // ERROR "is not used"
	5             // ERROR "is not used"
	f             // ERROR "is not used"
	len("x")      // ERROR "is not used"
	r <- 1        // ERROR "cannot send to receive-only channel"
	m["a"].a = 1  // ERROR "cannot assign to struct field"
	"s"[0] = 'a'  // ERROR "cannot assign to"
	_ = c
}
