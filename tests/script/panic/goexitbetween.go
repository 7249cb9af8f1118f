// panic
// SPDX-License-Identifier: MIT

// A Goexit between two panics is not shown.
package main

import "runtime"

func main() {
	defer func() { panic("second") }()
	defer runtime.Goexit()
	panic("first")
}
