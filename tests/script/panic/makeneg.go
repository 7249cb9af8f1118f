// panic
// SPDX-License-Identifier: MIT

package main

func alloc(n int) []int { return make([]int, n) }

func main() {
	alloc(-len("x"))
}
