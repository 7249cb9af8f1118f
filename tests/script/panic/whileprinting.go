// panic
// SPDX-License-Identifier: MIT

package main

type E struct{}

func (*E) Error() string { panic("inner\nlines") }

func main() { panic(&E{}) }
