// run

// What an interface holds is loaded as values of several types, one of which it
// has: on the other ways the load may go beyond the variable, to its neighbours
// in the frame's memory.
package main

import "fmt"

type T struct {
	a, b int
	p    *int
}

var hash uint64

func note(n int) { hash = hash*31 + uint64(n) + 7 }

func length(e any) int {
	switch v := e.(type) {
	case string:
		return len(v)
	}
	return 5
}

func third(e any) int {
	switch v := e.(type) {
	case [3]int:
		return v[2]
	case T:
		return v.b
	case []int:
		return cap(v)
	case int:
		return v
	}
	return 6
}

func second(e any) int {
	if v, ok := e.([2]int); ok {
		return v[1]
	}
	return -1
}

// The box of e19 stands before the closure that is made behind it.
func boxes(p0 *int, t0 *T) (ret *int) {
	i0 := *p0 + 0
	ret, _ = p0, i0
	f4 := func() int {
		f18 := func() int {
			var e19 any = i0
			note(length(e19))
			*t0 = func() T { v := T{a: *p0}; v.p = &v.b; return v }()
			return i0
		}
		note(f18())
		return i0
	}
	note(f4())
	return
}

func each(n int, f func(int)) {
	for i := 0; i < n; i++ {
		f(i)
	}
}

func rounds(n int) (s int) {
	each(n, func(i int) {
		var e any = i
		s += length(e)
		var f any = i + 1
		s += third(f)
		var g any = [2]int{i, i + 2}
		s += second(g)*third(g) + second(f)
	})
	return s
}

// Variables behind the box change while it is looked at.
func behind(n int) (s int) {
	for i := range n {
		var e any = i
		x, y := i, i+1
		add := func() { x += y; y++ }
		add()
		s += third(e) + length(e)
		add()
		s += x + y
	}
	return s
}

func main() {
	x := 1
	t := &T{a: 2, p: &x}
	for range 50 {
		note(*boxes(&x, t))
	}
	fmt.Println(hash, t.a, t.b, *t.p)
	fmt.Println(rounds(10), rounds(1000))
	fmt.Println(behind(10), behind(1000))
}
