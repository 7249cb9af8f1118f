// errorcheck
// SPDX-License-Identifier: MIT

//go:build go1.21

// What a file that declares an older language may not use.

package main

type list[T any] []T

type alias[T any] = list[T] // ERROR "generic type alias requires go1.23 or later"

func id[T any](x T) T { return x }

func main() {
	var f func(int) int = id
	_ = f(1)
	_ = new(1) // ERROR "new\(1\) requires go1.26 or later"
	var _ alias[int]
}
