// fatal
// SPDX-License-Identifier: MIT

// A fatal error tells the panics in progress, without asking their values.
package main

import "sync"

type loud struct{}

func (loud) Error() string { println("asked"); return "loud" }

func main() {
	defer func() {
		var m sync.Mutex
		m.Unlock()
	}()
	defer func() {
		panic(recover())
	}()
	defer func() {
		recover()
		var m map[loud]int
		m[loud{}] = 1
	}()
	panic("first")
}
