// run
// SPDX-License-Identifier: MIT

// Range functions that recover the panics which their own misuse of the body
// causes are found out all the same.
package main

import "fmt"

func try(what string, f func()) {
	defer func() { fmt.Println(what, recover()) }()
	f()
	fmt.Println(what, "done")
}

func swallow(f func()) {
	defer func() { fmt.Println("swallowed:", recover()) }()
	f()
}

func main() {
	twice := func(y func(int) bool) { swallow(func() { y(1); y(2) }) }
	try("break", func() {
		for range twice {
			break
		}
	})
	try("through", func() {
		for range twice {
		}
	})
	try("return", func() {
		for range twice {
			return
		}
	})
	try("panic", func() {
		for range twice {
			panic("body")
		}
	})
	var keep func(int) bool
	try("later", func() {
		for range func(y func(int) bool) { keep = y } {
		}
	})
	try("kept", func() { keep(1) })
	try("kept again", func() { keep(1) })
	try("nested", func() {
		for range twice {
			for range twice {
				break
			}
		}
	})
	again := func(y func(int) bool) { swallow(func() { y(1) }); swallow(func() { y(2) }) }
	try("again", func() {
		for i := range again {
			panic(i)
		}
	})
}
