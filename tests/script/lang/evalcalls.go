// run
// SPDX-License-Identifier: MIT

// Variables are read after all the calls of the same expression list, as
// Go's compiler does it.
package main

import (
	"fmt"
	"sync/atomic"
)

type B struct{ a, b, c int }

var m = map[int]int{1: 1}

func setm() int { m[1]++; return m[1] }

var ifc interface{} = 1

func seti() int { ifc = ifc.(int) + 1; return ifc.(int) }

var b B

func setb() int { b.a++; return b.a }

var bl bool

func setbl() bool         { bl = !bl; return bl }
func three(a, b, c int)   { fmt.Println(a, b, c) }
func threeb(a, b, c bool) { fmt.Println(a, b, c) }
func bb(a B, n int, c B)  { fmt.Println(a, n, c) }

type S struct{ p *int }

var fn = func(n int) int { return n }

func setfn() int { fn = func(n int) int { return -n }; return 5 }

type V struct{ n int }

func (v V) get(n int) int { return v.n*100 + n }

var v V

func setv() int { v.n++; return v.n }

var bs = []byte("abc")

func setbs() string { bs[0]++; return string(bs) }

func main() {
	fmt.Println(m[1], setm(), m[1])
	three(m[1], setm(), m[1])
	fmt.Println(ifc.(int), seti(), ifc.(int))
	three(ifc.(int), seti(), ifc.(int))
	fmt.Println(b, setb(), b)
	bb(b, setb(), b)
	fmt.Println(bl, setbl(), bl)
	threeb(bl && true, setbl(), bl || false)
	threeb(bl && setbl(), setbl(), bl || false)
	fmt.Println(fn(setfn()))
	fmt.Println(v.get(setv()), v.get(setv()))
	fmt.Println(string(bs), setbs(), string(bs))
	x := 0
	inc := func() int { x++; return x }
	a := make([]int, 10)
	a[x] = inc()
	fmt.Println(a)
	x += inc()
	fmt.Println(x)
	a[x] += inc()
	fmt.Println(a)
	a[x], a[x+1] = inc(), inc()
	fmt.Println(a)
	fmt.Println(len(a[:x]), inc(), min(x, 100), max(x, inc()), -x, a[x-5:x-4], &x == nil, []int{x})
	st := B{a: x, b: inc(), c: x}
	fmt.Println(st)
	if y := x; y == x+inc() {
		fmt.Println("no")
	}
	if x == inc() {
		fmt.Println("eq")
	}
	switch x {
	case inc():
		fmt.Println("switch eq")
	}
	c := make(chan int, 3)
	c <- x
	c <- x + inc()*x
	fmt.Println(<-c, x, <-c, inc())
	f := func() (int, int, error) { return x, inc(), nil }
	fmt.Println(f())
	var p, q = x, inc()
	fmt.Println(p, q)
	list := []int{x, inc(), x}
	fmt.Println(list)
	defer fmt.Println(x, inc(), x)
	go func(a ...int) {}(x, inc(), x)
	pp := &x
	fmt.Println(*pp, inc(), *pp)
	s := S{pp}
	fmt.Println(*s.p+1, inc(), *s.p*2)
	str := "q"
	g := func() string { str += "w"; return str }
	str = str + g() + str
	fmt.Println(str)
	str += g()
	fmt.Println(str, str[0], g()[1], len(str))
	fmt.Println(x != inc() && x < 0)
	var e error
	seterr := func() bool { e = fmt.Errorf("err"); return true }
	fmt.Println(e, seterr(), e)
	var n int64
	fmt.Println(n, atomic.AddInt64(&n, 5), n)
	var log []int
	note := func(n int) int { log = append(log, n); return -n }
	log = append(log, note(1), note(2))
	fmt.Println(log)
	ch := make(chan int)
	go func() { log = nil; ch <- 7 }()
	log = append(log, <-ch)
	fmt.Println(log)
	z := x + inc()*x
	fmt.Println(z)
	for i := 0; x+i < inc(); i++ {
		fmt.Println("loop", i)
	}
}
