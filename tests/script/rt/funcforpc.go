// run
// SPDX-License-Identifier: MIT

// runtime.Func: from func values and back, by identity.
package main

import (
	"fmt"
	"reflect"
	"runtime"
)

func foo() {}

type T struct{}

func (T) M() {}

func main() {
	f := runtime.FuncForPC(reflect.ValueOf(foo).Pointer())
	fmt.Println(f.Name(), f == runtime.FuncForPC(f.Entry()), f.Entry() == reflect.ValueOf(foo).Pointer())
	_, l := f.FileLine(f.Entry())
	fmt.Println(l > 0)
	x := 1
	c := func() { x++ }
	fmt.Println(runtime.FuncForPC(reflect.ValueOf(c).Pointer()).Name())
	fmt.Println(runtime.FuncForPC(reflect.ValueOf(T.M).Pointer()).Name())
	pc := f.Entry()
	n := 0
	for ; runtime.FuncForPC(pc) == f; pc++ {
		n++
	}
	fmt.Println(n > 0, runtime.FuncForPC(0) == nil, runtime.FuncForPC(1<<60))
	pc, file, line, ok := runtime.Caller(0)
	_, _, _, _ = pc, file, line, ok
	fmt.Println(runtime.FuncForPC(pc).Name())
	var nf *runtime.Func
	fmt.Println(nf.Name() == "")
}
