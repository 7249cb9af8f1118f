// run
// SPDX-License-Identifier: MIT

// Where functions begin: the line of the name of those that call others.
package main

import (
	"fmt"
	"path"
	"reflect"
	"runtime"
)

func someFunc() {
	fmt.Println("someFunc called")
}

type T struct{}

func (T) Method(
	a int,
	b string,
) int {

	return a
}

func empty() {}

func closure() func() int {
	x := 1
	return func() int {
		x++
		return x
	}
}

func generic[P any](p P) P {
	return p
}

var lit = func() {
	fmt.Println()
}

func show(f any) {
	pc := reflect.ValueOf(f).Pointer()
	fn := runtime.FuncForPC(pc)
	file, line := fn.FileLine(pc)
	_, l2 := fn.FileLine(fn.Entry())
	fmt.Println(path.Base(file), line, l2, fn.Entry() == pc)
}

func main() {
	show(someFunc)
	show(T.Method)
	show(empty)
	show(closure())
	show(lit)
	show(closure)
	show(main)
	pc, _, line, _ := runtime.Caller(0)
	_, l := runtime.FuncForPC(pc).FileLine(pc)
	fmt.Println(line, l)
}
