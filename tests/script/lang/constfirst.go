// run
// SPDX-License-Identifier: MIT

// Constants have their values before any variable: what refers to one through
// a function is initialised in its turn.  The length of an array is one, also
// where nothing comes of it, and nothing is looked at for it.
package main

var (
	a = first()
	b = second()
	c = third
	d = fourth()
)

const (
	late  = "late"
	third = len(late) + later
	later = 1
)

var p *[4]int

func first() string {
	println("first", late)
	return late
}

func second() string {
	println("second", c)
	return late
}

func fourth() int {
	println("fourth", len(*p))
	return later
}

func get() *[4]int {
	println("get")
	return p
}

func main() {
	_ = len(*p)
	_ = cap(*p)
	_ = len(get())
	for range *p {
		print("r")
	}
	println(a, b, c, d)
	defer func() { println(recover() != nil) }()
	_ = len(*get())
}
