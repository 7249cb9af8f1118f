// run

// Calls by reflection at every distance from the end of a stack: a goroutine's
// first stack, and those that it grows to.
package main

import (
	"fmt"
	"reflect"
)

func leaf(a, b, c, d, e int) (int, int) {
	return a + 2*b + 3*c + 4*d + 5*e, e
}

var call = reflect.ValueOf(leaf)

func want(n int) int { return n + 2*(n+1) + 3*(n+2) + 4*(n+3) + 5*(n+4) }

func reflected(n int) bool {
	in := make([]reflect.Value, 5)
	for i := range in {
		in[i] = reflect.ValueOf(n + i)
	}
	out := call.Call(in)
	return out[0].Int() == int64(want(n)) && out[1].Int() == int64(n+4)
}

func one(n int) bool {
	if n == 0 {
		return reflected(n)
	}
	return one(n-1) && n > 0
}

func two(n, a int) bool {
	if n == 0 {
		return reflected(a)
	}
	return two(n-1, a+1) && a >= 0
}

func three(n, a, b int) bool {
	if n == 0 {
		return reflected(a + b)
	}
	x := a * b
	return three(n-1, a+1, b+1) && x >= 0
}

func four(n int, a [7]int) bool {
	if n == 0 {
		return reflected(a[6])
	}
	a[n%7]++
	return four(n-1, a) && a[0] >= 0
}

func main() {
	wrong := 0
	done := make(chan bool)
	for n := 0; n < 80; n++ {
		for _, f := range []func(){
			func() { done <- one(n) },
			func() { done <- two(n, n) },
			func() { done <- three(n, 1, n) },
			func() { done <- four(n, [7]int{}) },
			func() { done <- two(n/2, 0) && three(n/2, 0, 0) },
		} {
			go f()
			if !<-done {
				wrong++
			}
		}
	}
	fmt.Println("wrong:", wrong)
}
