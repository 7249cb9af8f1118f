// run
// SPDX-License-Identifier: MIT

// Of a slice that append makes only some parts are read afterwards: the others,
// which are nobody's, do not take the place of what is read.
package main

import "fmt"

func capOnly(in int, s string) int {
	v0, v1 := []int{1, in, 3, 4}, make([]int, 2, 5)
	v0, v1 = v1, v0
	if in != 77 {
		if len(s) > 400 {
			s = "ab"
		}
		v1 = append(v0, in)
	}
	fmt.Println(len(v0), cap(v1), s)
	return in
}

func lenOnly(in int, s string) int {
	v0, v1 := []int{1, in, 3, 4}, make([]int, 2, 5)
	v0, v1 = v1, v0
	if in != 77 {
		if len(s) > 400 {
			s = "ab"
		}
		v1 = append(v0, in)
	}
	fmt.Println(cap(v0), len(v1), s)
	return in
}

func main() {
	for i := 0; i < 3000; i++ {
		if i%1000 == 0 {
			fmt.Println(i)
			capOnly(i, "abc")
			lenOnly(i, "abc")
		}
	}
}
