// run
// SPDX-License-Identifier: MIT

// defer in the bodies of range-over-func loops belongs to the function.
package main

import "fmt"

func upto(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		defer fmt.Println("iter done")
		for i := 0; i < n; i++ {
			defer func() { fmt.Println("iter defer", i) }()
			if !yield(i) {
				return
			}
		}
	}
}

type T struct{ n int }

func (t T) show(s string)   { fmt.Println(s, t.n) }
func (t *T) pshow(s string) { fmt.Println(s, t.n) }

type I interface{ show(string) }

func a() (s string, err error) {
	defer fmt.Println("first")
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered %v, s=%s", r, s)
		}
	}()
	for i := range upto(2) {
		for j := range upto(2) {
			t := T{i*10 + j}
			defer t.show("val")
			defer t.pshow("ptr")
			var x I = t
			defer x.show("iface")
			defer func(k int) { s += fmt.Sprint(k, ";") }(i + j)
			m := map[int]int{1: 1}
			defer delete(m, 1)
			c := make(chan int)
			defer close(c)
			if i == 1 && j == 1 {
				panic("boom")
			}
		}
	}
	defer fmt.Println("last")
	return "x", nil
}

func b() (n int) {
	for i := range upto(3) {
		defer func() {
			if r := recover(); r != nil {
				n = i * 100
			}
		}()
		if i == 2 {
			var p *int
			return *p
		}
	}
	return 1
}

func c() int {
	for i := range upto(3) {
		defer fmt.Println("c", i)
		if i == 1 {
			return 7
		}
	}
	return 1
}

func main() {
	fmt.Println(a())
	fmt.Println(b())
	fmt.Println(c())
	func() {
		for i := range upto(2) {
			f := func() { defer fmt.Println("inner", i) }
			f()
			var nilf func()
			defer func() { fmt.Println(recover()) }()
			defer nilf()
		}
	}()
}
