// errorcheck
// SPDX-License-Identifier: MIT

package main

func main() {
	x := 1
	x.y.z = 3      // ERROR "x.y undefined"
	var f func(int) // ERROR "declared and not used: f"
	f = 5          // ERROR "cannot use 5"
	y := [...]int{1, 2}
	y[5] = 1 // ERROR "out of bounds"
	z := &y  // ERROR "declared and not used: z"
	for {
		z = nil
	}
}
