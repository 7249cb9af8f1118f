// SPDX-License-Identifier: MIT

package main

import "fmt"

func sieve(n int) int {
	flags := make([]bool, n+1)
	count := 0
	for i := 2; i <= n; i++ {
		if !flags[i] {
			count++
			for j := i + i; j <= n; j += i {
				flags[j] = true
			}
		}
	}
	return count
}

func main() {
	c := 0
	for r := 0; r < 6; r++ {
		c = sieve(2000000)
	}
	fmt.Println(c)
}
