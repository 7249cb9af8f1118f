// errorcheck
// SPDX-License-Identifier: MIT

// runtime.AddCleanup and package weak, which the checker knows by name.
package main

import (
	"runtime"
	"weak"
)

var v [4]int

func f() {
	weak.Make[int, int](nil) // ERROR "got 2 type arguments but want 1"
	_ = weak.Make // ERROR "cannot use generic function weak.Make without instantiation"
	var w weak.Pointer[int] = weak.Make(new(string)) // ERROR "value of struct type weak.Pointer\[string\]"
	w.u = nil // ERROR "cannot refer to unexported field u"
	runtime.AddCleanup(&v, func(s string) {}, 5) // ERROR "cannot use 5 .* as string value in argument to runtime.AddCleanup"
	runtime.AddCleanup(&v, nil, 5)
	runtime.AddCleanup(&v, func(s string) {}) // ERROR "not enough arguments in call to runtime.AddCleanup"
	runtime.AddCleanup[int](&v, func(s string) {}, "a") // ERROR "as \*int value in argument to runtime.AddCleanup\[int\]"
	runtime.AddCleanup[int, string, bool](&v, func(s string) {}, "a") // ERROR "got 3 type arguments but want 2"
	runtime.AddCleanup(&v, func() {}, 1) // ERROR "does not match func\(S\)"
}
