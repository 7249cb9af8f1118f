// SPDX-License-Identifier: MIT

package main

import "fmt"

func main() {
	n := 0
	for i := 0; i < 60; i++ {
		for j := 0; j < 1000; j++ {
			for k := 0; k < 1000; k++ {
				n = n + (i+j*k)%7
			}
		}
	}
	fmt.Println(n)
}
