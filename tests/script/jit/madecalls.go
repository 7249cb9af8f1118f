// run
// SPDX-License-Identifier: MIT

package main

// Calls of functions that the program makes, by reflect.Value.Call and
// reflect.MakeFunc, from loops that have become machine code: panics,
// callers, growing stacks, collections and goroutines that wait in them.

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

type adder struct{ n int }

func (a *adder) Add(x int) int { a.n += x; return a.n }

func deep(n int) int {
	var pad [64]int
	pad[n%64] = n
	if n == 0 {
		return 0
	}
	return deep(n-1) + pad[n%64] - n + 1
}

// mine has the lines of this file's functions that are active.
func mine() string {
	var pcs [64]uintptr
	var b strings.Builder
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "main.") {
			fmt.Fprint(&b, f.Function, ":", f.Line, " ")
		}
		if !more {
			return b.String()
		}
	}
}

func callMany(f func(int) int, n int) (sum int) {
	for i := 0; i < n; i++ {
		sum += f(i)
	}
	return sum
}

func made(body func(x int) int) func(int) int {
	var f func(int) int
	t := reflect.TypeOf(f)
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(body(int(in[0].Int())))}
	}).Interface().(func(int) int)
}

func panics(n int) {
	defer func() { fmt.Println("recovered:", recover()) }()
	a := []int{1, 2, 3}
	callMany(made(func(x int) int {
		if x == n-1 {
			return a[x]
		}
		return a[x%3]
	}), n)
}

func main() {
	const n = 5000
	fmt.Println(callMany(made(func(x int) int { return x * 2 }), n))
	panics(n)

	callMany(made(func(x int) int {
		if x == n-1 {
			fmt.Println(mine())
		}
		return x
	}), n)

	// Stacks grow below the call, and are moved.
	fmt.Println(callMany(made(func(x int) int {
		if x%1000 == 999 {
			runtime.GC()
			return deep(x)
		}
		return deep(x % 7)
	}), n))

	// Others run while it stands.
	ask, answer := make(chan int), make(chan int)
	go func() {
		for x := range ask {
			answer <- x + 1
		}
		close(answer)
	}()
	fmt.Println(callMany(made(func(x int) int {
		ask <- x
		return <-answer
	}), n))
	close(ask)

	a := &adder{}
	add := reflect.ValueOf(a).MethodByName("Add")
	plain := reflect.ValueOf(deep)
	sum := 0
	for i := 0; i < n; i++ {
		sum += int(add.Call([]reflect.Value{reflect.ValueOf(i)})[0].Int())
		sum += int(plain.Call([]reflect.Value{reflect.ValueOf(i % 9)})[0].Int())
	}
	fmt.Println(a.n, sum)

	// Made functions and others, at the same call.
	fs := []func(int) int{made(deep), deep, made(a.Add), a.Add,
		func(x int) int { return -x }}
	sum = 0
	for i := 0; i < n; i++ {
		sum += fs[i%len(fs)](i % 50)
	}
	fmt.Println(a.n, sum)
}
