// panic
// SPDX-License-Identifier: MIT

package main

import "fmt"

type shape interface {
	area() float64
	perimeter() float64
}

type sq struct{}

func (sq) area() float64 { return 1 }

func use(v interface{}) float64 {
	return v.(shape).area()
}

func main() {
	fmt.Println(use(sq{}))
}
