// fatal
// SPDX-License-Identifier: MIT

// Memory that no machine has: the end of the program, which shows the stacks of
// all goroutines, those that wait among them.
package main

import "runtime"

func waits(c chan int) { <-c }

func hold(n int) []byte { return make([]byte, n) }

func main() {
	runtime.GOMAXPROCS(1)
	c := make(chan int)
	ready := make(chan bool)
	go func() {
		ready <- true
		waits(c)
	}()
	<-ready // and with one P the other waits by now
	println(len(hold(1 << 46)))
}
