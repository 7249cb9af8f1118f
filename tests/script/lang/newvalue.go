// run
// SPDX-License-Identifier: MIT

// new with a value, as of Go 1.26.

package main

import "fmt"

type point struct{ x, y int }

type big struct{ a [100]int }

func three() int { return 3 }

func main() {
	x := 7
	p := new(x)
	*p++
	fmt.Println(x, *p, *new(x + 1), *new(three()), *new(42), *new("a"))
	p = new(*p)
	*p *= 2
	fmt.Println(*p)
	fmt.Printf("%T %T %T %T\n", new(1.5), new('a'), new(x > 3), new(2i))

	pt := new(point{1, 2})
	pp := new(pt)
	(*pp).x = 5
	fmt.Println(*pt, **pp == *pt)

	b := big{}
	b.a[99] = 1
	c := new(b)
	c.a[99]++
	fmt.Println(b.a[99], c.a[99], len(*new([]int{1, 2})))

	var e any = new(fmt.Sprint(1, 2))
	fmt.Println(*e.(*string))
	f := new(func() int { x++; return x })
	fmt.Println((*f)(), (*f)(), x)
	i := new(any(x))
	fmt.Println(*i, *new(map[string]int{"k": 1}))
	func() {
		defer func() { fmt.Println(recover()) }()
		var n *int
		fmt.Println(new(*n))
	}()
	for i := range 2 {
		fmt.Print(*new(i), " ")
	}
	fmt.Println(*new(int))
}
