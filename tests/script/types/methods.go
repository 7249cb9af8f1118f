// run
// SPDX-License-Identifier: MIT

// Method values and expressions, receivers, methods on every kind of type.
package main

import (
	"fmt"
	"sort"
)

type Num int

func (n Num) Add(m Num) Num { return n + m }
func (n *Num) Inc()         { *n++ }
func (Num) Static() string  { return "static" }

type List []int

func (l List) Sum() (s int) {
	for _, v := range l {
		s += v
	}
	return
}
func (l *List) Push(v int)        { *l = append(*l, v) }
func (l List) Len() int           { return len(l) }
func (l List) Less(i, j int) bool { return l[i] > l[j] }
func (l List) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

type Dict map[string]int

func (d Dict) Get(k string) int { return d[k] }
func (d Dict) Set(k string, v int) Dict {
	d[k] = v
	return d
}

type Handler func(string) string

func (h Handler) Serve(s string) string { return "[" + h(s) + "]" }

type Chan chan int

func (c Chan) Put(v int) { c <- v }

type Arr [3]int

func (a Arr) Changed() Arr { a[0] = 100; return a }
func (a *Arr) Change()     { a[0] = 50 }

type Tree struct {
	l, r *Tree
	v    int
}

func (t *Tree) Insert(v int) *Tree {
	if t == nil {
		return &Tree{v: v}
	}
	if v < t.v {
		t.l = t.l.Insert(v)
	} else {
		t.r = t.r.Insert(v)
	}
	return t
}

func (t *Tree) Depth() int {
	if t == nil {
		return 0
	}
	return 1 + max(t.l.Depth(), t.r.Depth())
}

type Big struct{ data [20]int }

func (b Big) At(i int) int      { return b.data[i] }
func (b *Big) Set(i, v int)     { b.data[i] = v }
func (b Big) With(i, v int) Big { b.data[i] = v; return b }

type Adder interface{ Add(Num) Num }
type Incer interface {
	Adder
	Inc()
}

func main() {
	var n Num = 5
	n.Inc()
	p := &n
	p.Inc()
	fmt.Println(n, p.Add(3), n.Add(n), Num(1).Add(2), n.Static(), p.Static())
	add := n.Add
	inc := n.Inc
	n = 100
	inc()
	fmt.Println(add(1), n)
	fmt.Println(Num.Add(1, 2), (*Num).Add(p, 5), Num.Static(0))
	(*Num).Inc(p)
	fmt.Println(n)
	var a Adder = n
	var i Incer = &n
	i.Inc()
	bound := a.Add
	fromIf := Adder.Add
	fmt.Println(bound(1), fromIf(n, 10), i.Add(0), Incer.Add(i, 1))

	var l List
	l.Push(1)
	l.Push(5)
	(&l).Push(3)
	sort.Sort(l)
	fmt.Println(l, l.Sum(), List{1, 2}.Sum(), List.Sum(l))
	d := Dict{}
	fmt.Println(d.Set("a", 1).Set("b", 2).Get("b"), d)
	h := Handler(func(s string) string { return s + s })
	fmt.Println(h.Serve("x"), Handler.Serve(h, "y"))
	c := make(Chan, 2)
	c.Put(4)
	put := c.Put
	put(6)
	fmt.Println(<-c, <-c)
	ar := Arr{1, 2, 3}
	fmt.Println(ar.Changed(), ar)
	ar.Change()
	fmt.Println(ar)
	var t *Tree
	for _, v := range []int{5, 3, 8, 1, 4, 9, 10, 11} {
		t = t.Insert(v)
	}
	fmt.Println(t.Depth(), t.l.Depth(), t.r.r.r.r.r.Depth())
	var b Big
	b.Set(3, 7)
	b2 := b.With(4, 8)
	at := b.At
	b.Set(3, 9)
	fmt.Println(b.At(3), at(3), b2.At(4), b.At(4))
	fs := map[string]func(Num, Num) Num{"add": Num.Add}
	fmt.Println(fs["add"](20, 22))
	arr := []Num{1, 2, 3}
	for i := range arr {
		arr[i].Inc()
	}
	mp := map[string]*Num{"k": p}
	mp["k"].Inc()
	fmt.Println(arr, *mp["k"])
	defer fmt.Println("deferred method args", n.Add(1))
	defer i.Inc()
	go n.Static()
	func() {
		defer func() { fmt.Println(recover()) }()
		var np *Big
		np.Set(0, 1)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var np *Num
		f := np.Add
		f(1)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var ni Adder
		f := ni.Add
		f(1)
	}()
	type Pair struct{ x, y Num }
	pr := Pair{1, 2}
	pr.x.Inc()
	(&pr.y).Inc()
	fmt.Println(pr, pr.x.Add(pr.y))
}
