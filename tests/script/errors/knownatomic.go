// errorcheck
// SPDX-License-Identifier: MIT

// atomic.Pointer, which the checker knows by name.
package main

import "sync/atomic"

type T struct{ a int }

var p0 atomic.Pointer // ERROR "cannot use generic type .*without instantiation"
var p1 atomic.Pointer[int, string] // ERROR "too many type arguments for type Pointer: have 2, want 1"
var p2 atomic.Pointer[T]

func f() {
	p2.Store(3) // ERROR "cannot use 3 .* as \*T value in argument to p2.Store"
	var x *int = p2.Load() // ERROR "as \*int value in variable declaration"
	_ = x
	p2.Foo() // ERROR "p2.Foo undefined"
	atomic.Pointer[int].Load(nil) // ERROR "invalid method expression"
	var e interface{ Load() *int } = &p2 // ERROR "wrong type for method Load"
	_ = e
	_ = new(atomic.Pointer) // ERROR "without instantiation"
	_ = atomic.Pointer.Load // ERROR "without instantiation"
}
