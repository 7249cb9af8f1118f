// errorcheck
// SPDX-License-Identifier: MIT

package main

import "fmt"

//go:noinline
func f() {
	//go:noinline // ERROR "misplaced compiler directive"
	x := 1
	//go:foo
	_ = x
	g := func() {
		//go:norace // ERROR "misplaced compiler directive"
		_ = 1
	}
	g()
	//go:noinline // ERROR "misplaced compiler directive"
}

//go:nosplit // ERROR "misplaced compiler directive"
var (
	y = 2
)

//go:systemstack // ERROR "//go:systemstack only allowed in runtime"
func h() {}

//go:uintptrkeepalive // ERROR "//go:uintptrkeepalive is only allowed in the standard library"
func k() {}

//go:noescape
func main() { fmt.Println(y) }

//go:noinline // ERROR "misplaced compiler directive"
