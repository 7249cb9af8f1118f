// panic
// SPDX-License-Identifier: MIT

// A value that is raised again while its panic is in progress is printed once.
package main

import "errors"

func main() {
	e := errors.New("once")
	defer func() {
		panic(e)
	}()
	defer func() {
		panic(e)
	}()
	panic(e)
}
