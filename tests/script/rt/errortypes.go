// run
// SPDX-License-Identifier: MIT

// The types and texts of run-time errors.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

type point struct{ x, y int }

func (p point) show() {}

type shower interface{ show() }

var showers = []shower{(*point)(nil)}

func try(what string, f func()) {
	defer func() {
		r := recover()
		e, ok := r.(runtime.Error)
		var as runtime.Error
		fmt.Printf("%s: %T, %v, %v %v\n", what, r, r, ok, ok && errors.As(e, &as) && as == e)
	}()
	f()
}

func main() {
	var (
		a    []int
		arr  [4]int
		m    map[string]int
		nilm map[any]int
		c    chan int
		p    *point
		s    = "text"
		i    = 9
		zero int
		neg  = -1
		x    any
		k    any = []int{1}
	)
	try("index", func() { _ = a[i] })
	try("array", func() { arr[i] = 1 })
	try("string", func() { _ = s[i] })
	try("negative", func() { _ = a[neg] })
	try("slice", func() { _ = a[1:i] })
	try("slice3", func() { _ = arr[i:][1:2:3] })
	try("substring", func() { _ = s[i:] })
	try("convert", func() { _ = [4]int(a) })
	try("divide", func() { _ = i / zero })
	try("shift", func() { _ = 1 << neg })
	try("makeslice", func() { _ = make([]int, neg) })
	try("makechan", func() { _ = make(chan int, neg) })
	try("nil map", func() { m["x"] = 1 })
	try("nil pointer", func() { p.x = 1 })
	try("nil func", func() { var f func(); f() })
	try("value method", func() { showers[0].show() })
	try("assertion", func() { _ = x.(int) })
	try("assertion 2", func() { _ = any(1).(shower) })
	try("compare", func() { _ = k == k })
	try("close nil", func() { close(c) })
	try("close closed", func() { c = make(chan int); close(c); close(c) })
	try("send closed", func() { c <- 1 })
	try("unsafe", func() { _ = unsafe.Slice(&i, neg) })
	try("panic nil", func() { panic(nil) })

	// A key that cannot be hashed, in maps with and without entries.
	full, empty := map[any]int{1: 1}, map[any]int{}
	try("get empty", func() { _ = empty[k] })
	try("get2 empty", func() { _, _ = empty[k] })
	try("get nil", func() { _ = nilm[k] })
	try("get full", func() { _ = full[k] })
	try("delete empty", func() { delete(empty, k) })
	try("delete nil", func() { delete(nilm, k) })
	try("delete full", func() { delete(full, k) })
	try("set empty", func() { empty[k] = 1 })
	try("set nil", func() { nilm[k] = 1 })
	try("set full", func() { full[k] = 1 })
	try("inside", func() { _ = empty[struct{ a, b any }{1, k}] })
}
