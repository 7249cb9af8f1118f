// panic
// SPDX-License-Identifier: MIT

package main

type key struct {
	name string
	v    interface{}
}

func put(m map[interface{}]int, k interface{}) { m[k]++ }

func main() {
	m := map[interface{}]int{}
	put(m, key{"a", 1})
	put(m, key{"b", []int{1}})
}
