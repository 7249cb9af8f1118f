// panic
// SPDX-License-Identifier: MIT

package main

var m map[string][]int

func add(k string, v int) {
	m[k] = append(m[k], v)
}

func main() {
	add("x", 1)
}
