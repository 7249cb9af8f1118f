// SPDX-License-Identifier: MIT

// What main does after a collection races with finalizers that it has found.
package main

import (
	"runtime"
	"time"
)

var x int

func main() {
	done := make(chan bool, 1)
	runtime.SetFinalizer(&[4]int{}, func(*[4]int) {
		println(x)
		done <- true
	})
	runtime.GC()
	x = 1
	select {
	case <-done:
	case <-time.After(10 * time.Second):
	}
}
