// errorcheck
// SPDX-License-Identifier: MIT

package main

//go:noinline // ERROR "misplaced compiler directive"
var x = 1

//go:nosplit
func f() {
	//go:noinline // ERROR "misplaced compiler directive"
	var z int
	_ = z
	//go:norace // ERROR "misplaced compiler directive"
	type t int
}

//go:noinline // ERROR "misplaced compiler directive"
type T int

//go:noinline // ERROR "misplaced compiler directive"
const c = 1

//go:noinline
func (T) m() {}

func main() { f() }
