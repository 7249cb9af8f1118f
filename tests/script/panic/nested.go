// panic
// SPDX-License-Identifier: MIT

package main

import "fmt"

func a() {
	defer func() {
		fmt.Println("recovered", recover())
		panic("second")
	}()
	panic("first")
}

func main() {
	defer func() {
		panic("third")
	}()
	a()
}
