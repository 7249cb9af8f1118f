// SPDX-License-Identifier: MIT

// Four mistakes: what compile errors look like.
package main

import "fmt"

type shape interface {
	area() float64
}

type square struct{ side float64 }

func main() {
	var s shape = square{2}
	total := 0
	for i := range 3 {
		fmt.Println(s.perimeter())
	}
}
