// run
// SPDX-License-Identifier: MIT

// Package initialisation over several files: variables by dependency, then
// the init functions in the order of the files.
package main

import "fmt"

var (
	a = c + b
	b = f()
	c = 1
)

var x, y = pair()

var _ = note("blank")

func f() int {
	d++
	return d
}

func pair() (int, string) { note("pair"); return later * 2, name }

func init() { note("init main 1") }
func init() { note("init main 2") }

func main() {
	fmt.Println(a, b, c, d)
	fmt.Println(x, y, later, name)
	for i, s := range notes {
		fmt.Println(i, s)
	}
	fmt.Println(T{5}.double(), table["k"], other)
}
