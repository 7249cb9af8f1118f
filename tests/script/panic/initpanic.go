// panic
// SPDX-License-Identifier: MIT

package main

var table = build(3)

func build(n int) []int {
	t := make([]int, n)
	t[n] = 1
	return t
}

func main() {
	println(len(table))
}
