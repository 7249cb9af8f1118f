// panic
// SPDX-License-Identifier: MIT

// The text of a panic is asked for with calls that panic, recover and call
// others that do.
package main

type outer struct{}

func (*outer) String() string {
	func() {
		defer func() { recover() }()
		panic("well")
	}()
	var m map[string]int
	m["x"] = 1
	return "not reached"
}

func main() { panic(&outer{}) }
