// run
// SPDX-License-Identifier: MIT

// Deep recursion: the stack grows by need, and shrinks again at collections.
package main

import (
	"fmt"
	"runtime"
)

type frame struct {
	n    int
	name string
	prev *frame
}

func down(n int) int {
	if n == 0 {
		return 0
	}
	return down(n-1) + 1
}

func wide(n int, a, b, c int, s string, arr [16]int) (int, string, [16]int) {
	if n == 0 {
		return a + b + c, s, arr
	}
	arr[n%16] += n
	x, t, r := wide(n-1, b, c, a+1, s, arr)
	return x, t, r
}

func linked(n int, prev *frame) int {
	f := &frame{n, "f", prev}
	if n == 0 {
		d := 0
		for p := f; p != nil; p = p.prev {
			d += p.n
		}
		return d
	}
	return linked(n-1, f)
}

func deferred(n int, sum *int) {
	if n > 0 {
		defer func() { *sum += n }()
		deferred(n-1, sum)
	}
}

func collatz(n int) int {
	if n == 1 {
		return 1
	}
	if n%2 == 0 {
		return 1 + collatz(n/2)
	}
	return 1 + collatz(3*n+1)
}

func main() {
	fmt.Println(down(1000000))
	for i := 0; i < 3; i++ {
		runtime.GC()
		fmt.Println(down(10 + i*200000))
	}
	x, s, arr := wide(50000, 1, 2, 3, "carried", [16]int{})
	fmt.Println(x, s, arr)
	fmt.Println(linked(20000, nil))
	sum := 0
	deferred(100000, &sum)
	fmt.Println(sum)
	best, at := 0, 0
	for i := 1; i < 10000; i++ {
		if c := collatz(i); c > best {
			best, at = c, i
		}
	}
	fmt.Println(best, at)
	caught := 0
	var rec func(n int)
	rec = func(n int) {
		defer func() {
			if r := recover(); r != nil {
				caught++
				if caught < 100 {
					panic(r)
				}
			}
		}()
		if n == 1000 {
			panic("bottom")
		}
		rec(n + 1)
	}
	rec(0)
	fmt.Println(caught)
}
