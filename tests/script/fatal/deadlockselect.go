// fatal
// SPDX-License-Identifier: MIT

package main

func main() {
	c := make(chan int)
	var n chan string
	select {
	case c <- 1:
	case <-c:
	case n <- "x":
	}
}
