// run
// SPDX-License-Identifier: MIT

// A func value is the address of a word, the code: programs make their own of
// what reflection says a function's or a method's code is.
package main

import (
	"fmt"
	"reflect"
	"runtime"
	"unsafe"
)

type point struct{ x, y int }

func (p *point) sum(n int) (int, error)        { return p.x + p.y + n, nil }
func (p *point) Sum(n int) (int, error)        { return p.sum(n) }
func (p point) Swapped() (point, string)       { return point{p.y, p.x}, "swapped" }
func double(s []int, f float64) (int, float64) { return 2 * len(s), 2 * f }
func name(code uintptr) string                 { return runtime.FuncForPC(code).Name() }

type call struct {
	code uintptr
	note string
}

func main() {
	c := &call{reflect.ValueOf(double).Pointer(), "double"}
	f := *(*func([]int, float64) (int, float64))(unsafe.Pointer(&c))
	for i := 0; i < 3; i++ {
		fmt.Println(f(make([]int, i), 1.5))
	}
	fmt.Println(name(c.code), c.code == reflect.ValueOf(double).Pointer())

	t := reflect.TypeFor[*point]()
	for i := 0; i < t.NumMethod(); i++ {
		c := &call{code: t.Method(i).Func.Pointer()}
		fmt.Println(name(c.code))
		p := &point{1, 2}
		switch t.Method(i).Name {
		case "Sum":
			f := *(*func(unsafe.Pointer, int) (int, error))(unsafe.Pointer(&c))
			fmt.Println(f(unsafe.Pointer(p), 3))
		case "Swapped":
			f := *(*func(unsafe.Pointer) (point, string))(unsafe.Pointer(&c))
			fmt.Println(f(unsafe.Pointer(p)))
		}
	}
	n := 0
	count := func() int { n++; return n }
	fmt.Println(name(reflect.ValueOf(count).Pointer()), count())
	var pcs [1]uintptr
	runtime.Callers(1, pcs[:])
	entry := runtime.FuncForPC(pcs[0]).Entry()
	fmt.Println(name(entry), name(entry+1), entry == runtime.FuncForPC(entry).Entry())
}
