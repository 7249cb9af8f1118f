// SPDX-License-Identifier: MIT

// What main does after it has set a timer races with the timer's function,
// although no other goroutine is there yet.
package main

import "time"

var x int

func main() {
	done := make(chan bool)
	time.AfterFunc(time.Millisecond, func() {
		println(x)
		close(done)
	})
	x = 1
	<-done
}
