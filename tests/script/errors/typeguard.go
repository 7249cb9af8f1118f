// errorcheck
// SPDX-License-Identifier: MIT

// A guard of a type switch where there is none.
package main

func f(x any) {}

func main() {
	var i any
	f(i.(type))         // ERROR "use of \.\(type\) outside type switch"
	_ = (i.(type))      // ERROR "use of \.\(type\) outside type switch"
	switch (i.(type)) { // ERROR "use of \.\(type\) outside type switch"
	default:
	}
}
