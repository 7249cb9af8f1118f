// run
// SPDX-License-Identifier: MIT

// A panic is recovered once: after that recover() has nothing more to give,
// in the same call and in those that run later, and a new panic is another.
package main

import "fmt"

func again() {
	defer func() { fmt.Println("later", recover()) }()
	defer func() {
		fmt.Println("twice", recover(), recover())
		defer func() { fmt.Println("inside", recover()) }()
	}()
	panic(1)
}

func renewed() (err any) {
	defer func() { err = recover() }()
	defer func() {
		fmt.Println("first", recover())
		defer func() { fmt.Println("second", recover(), recover()) }()
		panic(2)
	}()
	panic(1)
}

func repeated() {
	for i := range 3 {
		func() {
			defer func() { fmt.Println(i, recover(), recover()) }()
			panic(i)
		}()
	}
}

func main() {
	again()
	fmt.Println(renewed())
	repeated()
	fmt.Println(recover())
}
