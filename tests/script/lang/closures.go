// run
// SPDX-License-Identifier: MIT

// Closures: shared captured variables, counters, recursion, currying.
package main

import "fmt"

func counter() (inc func() int, get func() int) {
	n := 0
	inc = func() int { n++; return n }
	get = func() int { return n }
	return
}

func compose(fs ...func(int) int) func(int) int {
	return func(x int) int {
		for _, f := range fs {
			x = f(x)
		}
		return x
	}
}

func adder(a int) func(int) func(int) int {
	return func(b int) func(int) int {
		return func(c int) int { a += 1; return a + b + c }
	}
}

type node struct {
	next *node
	f    func() string
}

func fibgen() func() int {
	a, b := 0, 1
	return func() int {
		defer func() { a, b = b, a+b }()
		return a
	}
}

func apply(m map[string]func(...int) int, op string, args ...int) int {
	return m[op](args...)
}

func modify(p *int) func() {
	return func() { *p *= 2 }
}

var global = func() int { return 42 }()

func main() {
	inc, get := counter()
	inc()
	inc()
	inc2, get2 := counter()
	inc2()
	fmt.Println(get(), get2(), global)

	f := compose(func(x int) int { return x + 1 }, func(x int) int { return x * x }, adder(1)(2))
	fmt.Println(f(3), f(3))

	var fact func(int) int
	fact = func(n int) int {
		if n <= 1 {
			return 1
		}
		return n * fact(n-1)
	}
	fmt.Println(fact(10))

	g := fibgen()
	for i := 0; i < 10; i++ {
		fmt.Print(g(), " ")
	}
	fmt.Println()

	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i += 10; return i })
	}
	for _, f := range fs {
		fmt.Print(f(), f(), " ")
	}
	fmt.Println()

	x := 5
	dbl := modify(&x)
	dbl()
	dbl()
	func() { x++ }()
	fmt.Println(x)

	ops := map[string]func(...int) int{
		"sum": func(a ...int) (t int) {
			for _, v := range a {
				t += v
			}
			return
		},
		"len": func(a ...int) int { return len(a) },
	}
	fmt.Println(apply(ops, "sum", 1, 2, 3), apply(ops, "len"))

	var list *node
	for _, s := range []string{"a", "b", "c"} {
		list = &node{list, func() string { return s + s }}
	}
	for n := list; n != nil; n = n.next {
		fmt.Print(n.f(), " ")
	}
	fmt.Println()

	arr := [3]int{1, 2, 3}
	st := struct{ a, b string }{"p", "q"}
	show := func() string { return fmt.Sprint(arr, st) }
	arr[1] = 20
	st.b = "changed"
	fmt.Println(show())

	func(a, b int) {
		defer func(c int) { fmt.Println("deferred", a, b, c) }(a * b)
		a, b = b, a
	}(3, 4)

	var nilf func()
	fmt.Println(nilf == nil, show != nil)
	y := func(fs ...func()) (n int) {
		for _, f := range fs {
			f()
			n++
		}
		return
	}(func() { x = 0 }, func() { x += 7 })
	fmt.Println(x, y)
	big := [100]int{50: 7}
	byval := func() int { return big[50] + len(big) }
	fmt.Println(byval())
}
