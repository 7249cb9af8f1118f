// run
// SPDX-License-Identifier: MIT

// Range over functions: break, continue, labels, return, defer, nesting.
package main

import "fmt"

func upto(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		defer fmt.Print("[done ", n, "] ")
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func pairs(s ...string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for i, x := range s {
			if !yield(i, x) {
				return
			}
		}
	}
}

func thrice(yield func() bool) {
	_ = yield() && yield() && yield()
}

type tree struct {
	l, r *tree
	v    int
}

func (t *tree) all(yield func(int) bool) bool {
	return t == nil || t.l.all(yield) && yield(t.v) && t.r.all(yield)
}

func (t *tree) walk(yield func(int) bool) { t.all(yield) }

func insert(t *tree, v int) *tree {
	if t == nil {
		return &tree{v: v}
	}
	if v < t.v {
		t.l = insert(t.l, v)
	} else {
		t.r = insert(t.r, v)
	}
	return t
}

func find(want int) (string, int) {
	for i := range upto(100) {
		for j := range upto(100) {
			if i*j == want && i > 1 {
				return "found", i*1000 + j
			}
		}
	}
	return "none", 0
}

func deferred() (s string) {
	for i := range upto(3) {
		defer func() { s += fmt.Sprint("d", i, " ") }()
	}
	return "r "
}

func recovered() (err any) {
	defer func() { err = recover() }()
	for i := range upto(5) {
		if i == 2 {
			panic(fmt.Sprint("at ", i))
		}
	}
	return nil
}

func main() {
	for i := range upto(4) {
		if i == 1 {
			continue
		}
		fmt.Print(i, " ")
	}
	fmt.Println()
	for i := range upto(10) {
		if i == 3 {
			break
		}
		fmt.Print(i, " ")
	}
	fmt.Println()
	n := 0
	for range thrice {
		n++
	}
	fmt.Println(n)
	for i, s := range pairs("a", "b", "c") {
		fmt.Print(i, s, " ")
	}
	for i := range pairs("x", "y") {
		fmt.Print(i, " ")
	}
	fmt.Println()
outer:
	for i := range upto(5) {
		for j := range upto(5) {
			switch {
			case j == 2:
				continue outer
			case i == 2:
				break outer
			}
			fmt.Print(i, j, " ")
		}
	}
	fmt.Println()
	fmt.Println(find(6))
	fmt.Println(deferred())
	fmt.Println(recovered())
	var t *tree
	for _, v := range []int{5, 2, 8, 1, 9, 3} {
		t = insert(t, v)
	}
	sum := 0
	for v := range t.walk {
		sum += v
		if v == 8 {
			break
		}
		fmt.Print(v, " ")
	}
	fmt.Println(sum)
	var k int
	for k = range upto(3) {
	}
	fmt.Println(k)
	x := 0
	for i := range upto(3) {
		if i == 1 {
			goto end
		}
		x++
	}
end:
	fmt.Println(x)
	func() {
		defer func() { fmt.Println("recovered:", recover()) }()
		bad := func(yield func(int) bool) { yield(1); yield(2) }
		for range bad {
			break
		}
	}()
}
