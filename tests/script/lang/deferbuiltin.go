// run
// SPDX-License-Identifier: MIT

// defer recover(): a call by the function that defers it, so it helps in a
// deferred function only.
package main

import "fmt"

func inDeferred() {
	defer fmt.Println("not panicking any more")
	defer func() {
		defer recover()
	}()
	panic(1)
}

func direct() {
	defer func() { fmt.Println("still", recover()) }()
	defer recover()
	panic(2)
}

func nested() {
	defer func() { fmt.Println("outer", recover()) }()
	defer func() {
		defer recover()
		defer func() {
			fmt.Println("inner", recover())
		}()
		panic(3)
	}()
	panic(4)
}

func helper() {
	defer recover()
}

func notDirect() {
	defer func() { fmt.Println("helper", recover()) }()
	defer func() { helper() }()
	panic(5)
}

func main() {
	inDeferred()
	direct()
	nested()
	notDirect()
	m := map[int]int{1: 1, 2: 2}
	func() {
		defer delete(m, 1)
		defer func() { fmt.Println(len(m)) }()
	}()
	fmt.Println(m)
}
