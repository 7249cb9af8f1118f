// SPDX-License-Identifier: MIT

// What main has done before there is anybody else comes before all of them.
package main

import "time"

var x [100]int

func main() {
	for i := range x {
		x[i] = i
	}
	done := make(chan int)
	time.AfterFunc(time.Millisecond, func() { done <- x[1] })
	go func() { done <- x[2] }()
	println(<-done + <-done)
}
