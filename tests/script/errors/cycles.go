// errorcheck
// SPDX-License-Identifier: MIT

package main

type R struct { // ERROR "invalid recursive type R"
	inner S
}
type S struct {
	r [2]R
}
type Self Self // ERROR "invalid recursive type"

type OK struct{ next *OK }
type Fine []Fine

var a = b + 1 // ERROR "initialization cycle"
var b = f()

func f() int { return a }

const c = d // ERROR "initialization cycle"
const d = c

type I interface { // ERROR "invalid recursive type"
	J
}
type J interface{ I }

var arr [len(arr)]int // ERROR "invalid recursive type|initialization cycle"

func main() {}
