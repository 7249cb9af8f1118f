// run

// What interfaces hold has memory of its own: the function's, where nobody keeps
// it, or that of the heap.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
)

var sink any

type pair struct {
	a, b int
	p    *int
}

type number interface{ value() int }

func (p pair) value() int { return p.a*10 + p.b }

//go:noinline
func see(e any) int {
	switch v := e.(type) {
	case int:
		return v
	case string:
		return len(v)
	case pair:
		return v.a + v.b
	case float64:
		return int(v * 2)
	case [3]int:
		return v[0] + v[1] + v[2]
	case struct{}:
		return 1
	}
	return -1
}

//go:noinline
func keep(e any) int { sink = e; return see(e) }

//go:noinline
func same(e any) any { return e }

//go:noinline
func some(es ...any) int {
	n := 0
	for _, e := range es {
		n = n*3 + see(e)
	}
	return n
}

//go:noinline
func into(to *any, e any) { *to = e }

//go:noinline
func calls(n number) int { return n.value() }

func generic[T any](x T) int { return see(x) + see(same(x)) }

// Frames that use the same memory for something else.
func scrub(n int) int {
	var a [20]int
	for i := range a[:] {
		a[i] = -n - i
	}
	if n > 0 {
		return scrub(n-1) + a[n]
	}
	return a[3]
}

func show(name string, f func()) {
	fmt.Println(name, testing.AllocsPerRun(50, f))
}

func counts() {
	n, x, text := 1000, 2.5, "text"
	var m sync.Map
	m.Store(1234, "kept")
	of := map[any]int{1000: 7, pair{a: 1}: 8}
	show("see", func() { n += see(n) & 1 })
	show("float", func() { n += see(x) & 1 })
	show("string", func() { n += see(text) & 1 })
	show("struct", func() { n += see(pair{a: n}) & 1 })
	show("array", func() { n += see([3]int{n, 1, 2}) & 1 })
	show("some", func() { n += some(n, x, n+1) & 1 })
	show("map", func() { n += of[same(n)] & 1 })
	show("sync", func() { _, _ = m.Load(n) })
	show("generic", func() { n += generic(n) & 1 })
	show("kept", func() { n += keep(n) & 1 })
}

func loops() (all []any) {
	var last any
	for i := 300; i < 305; i++ {
		if last != nil {
			fmt.Print(see(last), " ")
		}
		last = i
		scrub(2)
	}
	fmt.Println(see(last))
	for i := range 3 {
		e := same(i + 500)
		scrub(2)
		all = append(all, e)
	}
	var e any
	for i := 0; i < 3; i++ {
		into(&e, pair{a: i, b: 700})
		scrub(2)
		fmt.Print(see(e), " ")
	}
	fmt.Println()
	return all
}

func deferred() (n int) {
	for i := 600; i < 603; i++ {
		defer func(e any) { n = n*1000 + see(e) }(i)
	}
	x := 42
	defer func(e any) { n += see(e) }(pair{a: x, b: 1, p: &x})
	x++
	return scrub(3)
}

func both(c bool) any {
	var e any = 900
	if c {
		e = pair{a: 900, b: 1}
	}
	f := func() int { return see(e) }
	scrub(2)
	if f() == 0 {
		return nil
	}
	return e
}

func sent() int {
	c := make(chan any, 3)
	for i := range 3 {
		c <- 800 + i
		scrub(1)
	}
	done := make(chan int)
	go func(e any) { done <- see(e) + see(<-c) }(4000)
	scrub(3)
	return <-done + see(<-c)
}

func yields(yield func(any) bool) {
	for i := range 4 {
		if !yield(i + 1000) {
			return
		}
	}
}

func panics(n int) (text string) {
	defer func() { text = fmt.Sprint(see(recover())) }()
	panic(n + 5000)
}

func main() {
	counts()
	for _, e := range loops() {
		fmt.Print(see(e), " ")
	}
	fmt.Println()
	fmt.Println(deferred(), see(both(true)), see(both(false)), sent(), panics(1))
	n := 0
	var kept []any
	for e := range yields {
		n += see(e)
		kept = append(kept, e)
		scrub(2)
	}
	fmt.Println(n, kept)
	x := 3
	e := same(pair{1, 2, &x})
	runtime.GC()
	scrub(5)
	fmt.Println(see(e), *e.(pair).p, calls(pair{a: 4, b: x}), keep(pair{5, 6, &x}), same(struct{}{}) == any(struct{}{}))
	runtime.GC()
	fmt.Println(*sink.(pair).p, see(sink), same(x+7000) == any(7003), generic("abc"), generic(&x))
}
