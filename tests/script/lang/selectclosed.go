// run
// SPDX-License-Identifier: MIT

// A select with a default and one case: what is ready is taken, a closed
// channel for ever, with its values first; what is not leaves the default.
package main

import "fmt"

func try(c chan int) string {
	select {
	case v, ok := <-c:
		return fmt.Sprint(v, ok)
	default:
		return "default"
	}
}

func put(c chan int, v int) bool {
	select {
	case c <- v:
		return true
	default:
		return false
	}
}

func main() {
	for _, n := range []int{0, 1, 3} {
		c := make(chan int, n)
		fmt.Println(n, try(c))
		for i := 1; put(c, i); i++ {
			fmt.Println("put", i)
		}
		close(c)
		for i := 0; i < n+2; i++ {
			fmt.Println(try(c))
		}
	}
	fmt.Println(try(nil), put(nil, 1))
}
