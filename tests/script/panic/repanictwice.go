// panic
// SPDX-License-Identifier: MIT

package main

import "errors"

func main() {
	defer func() { panic(recover()) }()
	defer func() { panic(recover()) }()
	defer func() { panic(errors.New("two")) }()
	defer func() { panic(recover()) }()
	panic("one")
}
