// run
// SPDX-License-Identifier: MIT

// atomic.Pointer, weak pointers and cleanups.

package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
	"weak"
)

type node struct {
	next atomic.Pointer[node]
	v    int
}

type box struct{ a [4]int }

type emb struct {
	atomic.Pointer[box]
	x int
}
type named atomic.Pointer[int]

type loader interface{ Load() *box }

var glob atomic.Pointer[node]

func wait(what string, f func() bool) {
	for i := 0; i < 200; i++ {
		runtime.GC()
		if f() {
			fmt.Println(what, "yes")
			return
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println(what, "no")
}

//go:noinline
func mk() (weak.Pointer[box], weak.Pointer[box]) {
	b := &box{}
	b.a[1] = 7
	w := weak.Make(b)
	w2 := weak.Make[box](b)
	fmt.Println(w == w2, w.Value() == b, w.Value().a[1])
	wi := weak.Make(&b.a[2])
	fmt.Printf("%T %T\n", w, wi)
	return w, w2
}

func main() {
	var n node
	n.v = 1
	n.next.Store(&node{v: 2})
	fmt.Println(n.next.Load().v, n.next.Load().next.Load() == nil)
	old := n.next.Swap(&node{v: 3})
	fmt.Println(old.v, n.next.CompareAndSwap(old, nil), n.next.Load().v)
	glob.Store(&n)
	fmt.Println(glob.Load().v)
	var e emb
	e.Store(&box{})
	e.Load().a[0] = 5
	var l loader = &e
	fmt.Println(l.Load().a[0])
	f := e.Load
	fmt.Println(f().a[0], (*atomic.Pointer[box]).Load(&e.Pointer).a[0])
	fmt.Printf("%T %T\n", &n.next, e.Pointer.Load())
	w, w2 := mk()
	wait("weak", func() bool { return w.Value() == nil })
	fmt.Println(w == w2, w == weak.Pointer[box]{})
	g := weak.Make[int]
	x := new(int)
	*x = 3
	fmt.Println(*g(x).Value(), g(nil) == weak.Pointer[int]{})
	runtime.KeepAlive(x)

	var count atomic.Int32
	func() {
		b := &box{}
		runtime.AddCleanup(b, func(s string) { fmt.Println("cleanup", s); count.Add(1) }, "hello")
		c := runtime.AddCleanup(b, func(n int) { fmt.Println("never", n) }, 5)
		c.Stop()
		runtime.AddCleanup[box](b, func(e error) { count.Add(1) }, fmt.Errorf("x"))
		runtime.AddCleanup(b, func(e struct{ a, b int }) { count.Add(int32(e.a + e.b)) }, struct{ a, b int }{1, 2})
		runtime.AddCleanup(b, func(e *int) { count.Add(int32(*e)) }, new(int))
		runtime.AddCleanup(b, func(e error) { count.Add(int32(len(e.Error()))) }, fmt.Errorf("abc"))
	}()
	wait("cleanups", func() bool { return count.Load() == 8 })
	func() {
		defer func() { fmt.Println(recover()) }()
		var p *int
		runtime.AddCleanup(p, func(int) {}, 1)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		p := new(box)
		runtime.AddCleanup(p, func(*box) {}, p)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		p := new(box)
		runtime.AddCleanup(p, func(*int) {}, &p.a[1])
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		p := new(box)
		runtime.AddCleanup(p, func(int) { p.a[1]++ }, 1)
	}()
}
