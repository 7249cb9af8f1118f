// panic
// SPDX-License-Identifier: MIT

package main

import "fmt"

func div(a, b int) int { return a / b }

func main() {
	defer fmt.Println("deferred runs first")
	defer func() {
		fmt.Println("and this")
	}()
	fmt.Println(div(1, len("")))
}
