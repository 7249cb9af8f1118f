// SPDX-License-Identifier: MIT

package main

import "fmt"

type tree struct{ left, right *tree }

func build(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{build(depth - 1), build(depth - 1)}
}

func (t *tree) check() int {
	if t.left == nil {
		return 1
	}
	return 1 + t.left.check() + t.right.check()
}

func main() {
	const max = 16
	fmt.Println(build(max + 1).check())
	long := build(max)
	for d := 4; d <= max; d += 4 {
		n := 1 << (max - d + 4)
		sum := 0
		for i := 0; i < n; i++ {
			sum += build(d).check()
		}
		fmt.Println(n, d, sum)
	}
	fmt.Println(long.check())
}
