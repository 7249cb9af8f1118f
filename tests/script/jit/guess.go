// run

// Loops that call what they are given become machine code while that is one
// function, and are given others then.
package main

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

type box struct {
	f func(int) int
	p *box
}

func apply(n int, f func(int) int) (t int) {
	for i := 0; i < n; i++ {
		t += f(i)
	}
	return t
}

func applyBoth(n int, f, g func(int) int) (t int) {
	for i := 0; i < n; i++ {
		t += f(i)
		if i%100 == 99 {
			f, g = g, f
		}
	}
	return t
}

func field(n int, b *box) (t int) {
	f := b.f
	for i := 0; i < n; i++ {
		t += f(i)
	}
	return t
}

// One slot may hold the pointer first, and a closure behind that.
func first(b *box, n int) (t int) {
	for i := 0; i < n; i++ {
		for q := b.p; q != nil; q = q.p {
			t++
		}
	}
	if n > 10000 {
		f := b.f
		for i := 0; i < 10; i++ {
			t += f(i)
		}
	}
	return t
}

func made(n int, mk func() func(int) int) (t int) {
	for i := 0; i < n; i++ {
		f := mk()
		t += f(i)
	}
	return t
}

func upto(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

func odd(s func(func(int) bool)) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range s {
			if i%2 == 1 && !yield(i) {
				return
			}
		}
	}
}

func try(f func() int) (s string) {
	defer func() {
		if e := recover(); e != nil {
			pcs := make([]uintptr, 20)
			frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
			s = fmt.Sprint(e)
			for more := true; more; {
				var f runtime.Frame
				f, more = frames.Next()
				if strings.HasPrefix(f.Function, "main.") && f.Function != "main.main" {
					s += fmt.Sprint(" ", f.Function, ":", f.Line)
				}
			}
		}
	}()
	return fmt.Sprint(f())
}

func main() {
	k := 3
	var chain *box
	for i := 0; i < 20; i++ {
		chain = &box{p: chain}
	}
	double := func(i int) int { return 2 * i }
	times := func(i int) int { return k * i }
	square := reflect.MakeFunc(reflect.TypeOf(double), func(a []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(int(a[0].Int() * a[0].Int()))}
	}).Interface().(func(int) int)
	bad := func(i int) int {
		var a [5]int
		return a[i]
	}
	fs := []func(int) int{double, times, square, bad, nil, double}
	for _, f := range fs {
		fmt.Println(try(func() int {
			n := 20000
			if f == nil || reflect.ValueOf(f).Pointer() == reflect.ValueOf(square).Pointer() {
				n = 200
			}
			return apply(n, f)
		}))
		fmt.Println(try(func() int { return field(3000, &box{f: f}) }))
		fmt.Println(try(func() int { return applyBoth(20000, double, f) }))
		fmt.Println(try(func() int { return made(3000, func() func(int) int { return f }) }))
		fmt.Println(try(func() int { return first(&box{f, chain}, 20000) }))
	}

	t := 0
	for i := range upto(100000) {
		t += i & k
	}
	for i := range odd(upto(100000)) {
		if i == 9999 {
			break
		}
		t ^= i
	}
	for i := range odd(odd(upto(1000))) {
		t += 7 * i
	}
	fmt.Println(t)

	a := make([]int, 5000)
	for i := range a {
		a[i] = i * 7919 % 5003
	}
	slices.SortFunc(a, func(x, y int) int { return x - y })
	fmt.Println(slices.IsSorted(a))
	slices.SortFunc(a, func(x, y int) int { return y - x })
	fmt.Println(a[0], a[4999])
}
