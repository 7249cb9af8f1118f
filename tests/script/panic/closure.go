// panic
// SPDX-License-Identifier: MIT

package main

func apply(f func(int) int, n int) int { return f(n) }

func main() {
	data := []int{1, 2, 3}
	func() {
		defer func() {
			x := 5
			apply(func(i int) int {
				return data[i:x][0]
			}, 4)
		}()
	}()
}
