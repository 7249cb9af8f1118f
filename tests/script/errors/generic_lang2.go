// errorcheck
// SPDX-License-Identifier: MIT

//go:build go1.21

// What inference makes of interfaces.

package main

type face[T any] interface{}

func f1[P any](face[P]) {}

func partly[P any, Q *P](p P) {}

func take[R any](func(R)) {}

func main() {
	var t face[int]
	f1(t) // ERROR "in call to f1, cannot infer P"
	take(partly[int])
}
