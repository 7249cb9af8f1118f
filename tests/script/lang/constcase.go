// run
// SPDX-License-Identifier: MIT

// What Go's compiler lets pass: complex numbers twice in a switch, a typed
// constant that is no integer as the count of a shift of constants.
package main

const two float32 = 2

func which(x complex128) string {
	switch x {
	case 1, 1:
		return "one"
	case 2i, 2i, 1:
		return "two i"
	}
	return "neither"
}

func main() {
	println(which(1), which(2i), which(3))
	println(1<<two, 3.0<<two)
}
