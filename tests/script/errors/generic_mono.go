// errorcheck
// SPDX-License-Identifier: MIT

// A generic function that needs ever larger instances of itself.

package main

func f[T any](n int, x T) { // ERROR "instantiation cycle:"
	if n > 0 {
		g(n-1, x)
	}
}

func g[U any](n int, x U) { f(n, []U{x}) }

func same[T any](n int, x T) {
	if n > 0 {
		same(n-1, x)
		same[int](n-1, 1)
	}
}

func main() {
	f(3, 1)
	same(3, "")
}
