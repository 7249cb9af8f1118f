// errorcheck
// SPDX-License-Identifier: MIT

// Indexes that a literal gives twice, near and far.

package main

var (
	_ = []int{5: 1, 5: 2}                   // ERROR "duplicate index 5 in array or slice literal"
	_ = [...]int{2: 1, 0: 0, 1, 2}          // ERROR "duplicate index 2 in array or slice literal"
	_ = []int{1000000: 1, 2, 1000001: 3}    // ERROR "duplicate index 1000001 in array or slice literal"
	_ = []int{1 << 40: 1, 0: 2, 1 << 40: 3} // ERROR "duplicate index 1099511627776 in array or slice literal"
	_ = [...]int{1151: 1, 1152: 1, 1151: 1} // ERROR "duplicate index 1151 in array or slice literal"
	_ = [...]int{1215: 1, 1216: 1, 1216: 1} // ERROR "duplicate index 1216 in array or slice literal"
	_ = []int{63: 1, 64: 1, 0: 1, 127: 1, 128: 1, 1: 1}
)

func main() {}
