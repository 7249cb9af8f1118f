// run

// Of two ways one makes a closure that has a variable, and where they meet it is
// not known which one is called: it is nobody's loop, so that each way is looked at
// once.
package main

import "fmt"

var count int

func idle() { count++ }

var other = idle

func merged(i int, way bool) (s int) {
	x := i
	var f func()
	if way {
		f = other
	} else {
		f = func() { x += 5 }
	}
	x += 2
	f()
	s += x
	x++
	f()
	return s ^ x
}

// It is called by a closure that only one of the ways makes.
func deeper(i, way int) (s int) {
	x, y := i, i+1
	f := other
	switch way {
	case 1:
		f = func() { y += x }
	case 2:
		g := func() { x += 7 }
		f = func() { g(); y++ }
	}
	x *= 3
	f()
	s += x - y
	x += y
	f()
	return s ^ x + y
}

func main() {
	fmt.Println(merged(10, true), merged(11, false))
	fmt.Println(merged(-10, false), merged(1, true))
	fmt.Println(deeper(10, 0), deeper(11, 1), deeper(12, 2))
	fmt.Println(deeper(10, 2), deeper(11, 1), deeper(12, 0))
	fmt.Println(count)
}
