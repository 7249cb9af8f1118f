// run
// SPDX-License-Identifier: MIT

// A place among several that are assigned: its operands are evaluated first, but
// a last pointer is followed, and an index checked, where it is assigned.
package main

import "fmt"

type T struct {
	a   int
	x   int
	in  struct{ q, r int }
	arr [4]int
	big [100]int
	up  *T
	s   []int
	str string
	any any
}

type E struct {
	*T
	z int
}

func f() (int, int) { fmt.Println("f called"); return 7, 8 }
func g(s string, v int) int {
	fmt.Println("g", s)
	return v
}
func h(p *T) *T { fmt.Println("h"); return p }

var m map[string]int

func try(name string, fn func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics:", r)
		} else {
			fmt.Println(name, "ok")
		}
	}()
	fn()
}

var gp *T
var gy int

var seq = func(yield func(int, int) bool) { yield(4, 5) }

// The same where no function literal has the variables.
func one() (y int, err any) {
	defer func() { err = recover() }()
	var p *T
	y, p.x = f()
	return
}

func two() (y int, err any) {
	defer func() { err = recover() }()
	var p *T
	p.x, y = f()
	return
}

func three() (y int, err any) {
	defer func() { err = recover() }()
	var p *T
	i := 2
	y, p.arr[i] = f()
	return
}

func four() (y int, err any) {
	defer func() { err = recover() }()
	var p *T
	i := 7
	y, p.arr[i] = 4, 5
	return
}

func five() (y int, err any) {
	defer func() { err = recover() }()
	var p *T
	y, p.x = 4, 5
	return
}

func six() (y int, err any) {
	defer func() { err = recover() }()
	var ps []*T = make([]*T, 1)
	y, ps[0].x = 4, 5
	return
}

func seven() (y int, err any) {
	defer func() { err = recover() }()
	var ps []*T = make([]*T, 1)
	y, ps[1].x = f()
	return
}

func eight() (y int, err any) {
	defer func() { err = recover() }()
	var ps map[int]*T
	y, ps[1].x = f()
	return
}
func nine() (y int, err any) {
	defer func() { err = recover() }()
	var ps []T
	y, ps[1].x = f()
	return
}
func ten() (y int, err any) {
	defer func() { err = recover() }()
	var ps []T
	y, ps[1].arr[3] = f()
	return
}
func eleven() (y int, err any) {
	defer func() { err = recover() }()
	var ps []T
	y, ps[1].x = 3, 4
	return
}
func twelve() (y int, err any) {
	defer func() { err = recover() }()
	var ps []T
	y, ps[1].arr[3] = 3, 4
	return
}
func thirteen() (y int, err any) {
	defer func() { err = recover() }()
	var p *T
	for y, p.x = range seq {
	}
	return
}
func fourteen() (y int, err any) {
	defer func() { err = recover() }()
	var ps []T
	for y, ps[2].x = range seq {
	}
	return
}
func fifteen() (y int, err any) {
	defer func() { err = recover() }()
	c := make(chan int, 1)
	c <- 3
	var p *T
	var ok bool
	select {
	case p.x, ok = <-c:
	}
	fmt.Println(ok)
	return
}

// Operands are read before, elements are found after.
func swap() {
	s := []T{{a: 1, x: 2}, {a: 3, x: 4}}
	i, j := 0, 1
	s[i].x, s[j].x = s[j].x, s[i].x
	i, s[i].a = 1, 50
	i, s[i].arr[i], j = 0, 60, 0
	s, s[1].x = nil, 70
	fmt.Println(i, j, s)
	loc := [3]T{}
	i, loc[i].arr[i+1], loc[i+1].arr[i] = 2, 8, 9
	loc[i], i = T{a: 5}, 0
	fmt.Println(i, loc[0].arr, loc[1].arr, loc[2].a)
	var e E
	e.T, e.arr[i] = &T{}, 3
}

func main() {
	var p *T
	var y int
	pr := func() { fmt.Println("y", y, "gy", gy); y, gy = 0, 0 }
	try("1", func() { p.x, y = f() })
	pr()
	try("2", func() { y, p.x = f() })
	pr()
	try("3", func() { p.x, y = g("a", 1), g("b", 2) })
	pr()
	try("4", func() { y, p.x = g("a", 1), g("b", 2) })
	pr()
	try("5", func() { y, p.x, gy = 1, 2, 3 })
	pr()
	try("6", func() { p.in.q, y = f() })
	pr()
	try("7", func() { y, p.in.r = f() })
	pr()
	try("8", func() { y, p.arr[2] = f() })
	pr()
	i := 9
	try("9", func() { y, p.arr[i] = f() })
	pr()
	try("10", func() { y, p.arr[i] = 3, 4 })
	pr()
	try("11", func() { y, p.big[i] = f() })
	pr()
	try("12", func() { y, p.up.x = f() })
	pr()
	try("13", func() { p.up.x, y = f() })
	pr()
	try("14", func() { y, h(p).x = f() })
	pr()
	try("15", func() { y, h(p).up.x = f() })
	pr()
	try("16", func() { y, h(p).arr[g("i", 1)] = f() })
	pr()
	try("17", func() { y, *(&p.x) = f() })
	pr()
	var e E
	try("18", func() { y, e.x = f() })
	pr()
	try("19", func() { e.x, e.z = f() })
	pr()
	try("20", func() { e.z, e.arr[3] = f() })
	fmt.Println(e.z)
	pr()
	try("21", func() { y, p.s[0] = f() })
	pr()
	q := &T{}
	try("22", func() { y, q.s[0] = f() })
	pr()
	try("23", func() { q.s[3], y = f() })
	pr()
	try("24", func() { y, q.up.arr[i] = f() })
	pr()
	try("25", func() { y, m["x"] = f() })
	pr()
	try("26", func() { p.x, m["x"] = f() })
	pr()
	try("27", func() { m["x"], p.x = f() })
	pr()
	var pp **T
	try("28", func() { y, (*pp).x = f() })
	pr()
	var pi *int
	try("29", func() { y, *pi = f() })
	pr()
	try("30", func() { *pi, y = g("a", 1), g("b", 2) })
	pr()
	try("31", func() { y, *pi = 1, 2 })
	pr()
	var pa *[4]int
	try("32", func() { y, pa[1] = f() })
	pr()
	try("33", func() { y, pa[i] = f() })
	pr()
	try("34", func() { y, pa[i] = 5, 6 })
	pr()
	try("35", func() { pa[i], y = g("a", 5), g("b", 6) })
	pr()
	try("36", func() { gp.x, gy = f() })
	pr()
	try("37", func() { gy, gp.x = 3, gp.a })
	pr()
	var c chan int = make(chan int, 1)
	c <- 5
	var ok bool
	try("38", func() { p.x, ok = <-c })
	fmt.Println(len(c), ok)
	var mm = map[int]int{1: 2}
	try("39", func() { ok, p.x = true, mm[1] })
	fmt.Println(ok)
	try("40", func() { p.x, ok = mm[1] })
	fmt.Println(ok)
	var a any = 4
	ok = false
	try("41", func() { p.x, ok = a.(int) })
	fmt.Println(ok)
	try("42", func() { p, p.x = q, 4 })
	fmt.Println(p == q, q.x)
	p = nil
	try("43", func() { p, p.in.q = q, 4 })
	fmt.Println(p == q, q.in)
	p = nil
	try("44", func() { p, p.arr[i-8] = q, 4 })
	fmt.Println(p == q, q.arr)
	p = q
	try("45", func() { p, p.x = nil, 77 })
	fmt.Println(p == nil, q.x)
	try("46", func() { i, q.arr[i-9] = 100, 6 })
	fmt.Println(i, q.arr)
	i = 2
	try("47", func() { i, q.arr[i] = 3, 11 })
	fmt.Println(i, q.arr)
	i = 9
	try("48", func() { i, q.arr[i] = 3, 11 })
	fmt.Println(i, q.arr)
	i = 9
	try("49", func() { y, q.arr[i] = g("a", 3), g("b", 11) })
	pr()
	try("50", func() { q.arr[i], y = g("a", 3), g("b", 11) })
	pr()
	var loc [4]int
	try("51", func() { y, loc[i] = f() })
	pr()
	try("52", func() { y, loc[i] = 1, 2 })
	pr()
	try("53", func() { y, q.str = 1, []string{}[i] })
	pr()
	p = nil
	try("54", func() { q.any, p.any = 1, 2 })
	fmt.Println(q.any)
	try("55", func() { q.big, p.big = [100]int{1}, [100]int{2} })
	fmt.Println(q.big[0])
	try("56", func() { p.big, q.big = [100]int{g("c", 2)}, [100]int{g("d", 2)} })
	fmt.Println(q.big[0])
	fmt.Println(one())
	fmt.Println(two())
	fmt.Println(three())
	fmt.Println(four())
	fmt.Println(five())
	fmt.Println(six())
	fmt.Println(seven())
	fmt.Println(eight())
	fmt.Println(nine())
	fmt.Println(ten())
	fmt.Println(eleven())
	fmt.Println(twelve())
	fmt.Println(thirteen())
	fmt.Println(fourteen())
	fmt.Println(fifteen())
	try("swap", swap)
}
