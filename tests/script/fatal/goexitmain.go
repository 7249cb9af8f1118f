// fatal
// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"runtime"
)

func main() {
	c := make(chan int)
	go func() {
		fmt.Println("still running")
		c <- 1
	}()
	defer fmt.Println("deferred")
	func() {
		defer func() { <-c }()
		runtime.Goexit()
	}()
}
