// run
// concurrent
// SPDX-License-Identifier: MIT

// iter.Pull: values, early stops, panics and Goexit of the iterator, calls at
// the wrong time.
package main

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
)

func count(n int, end string) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer fmt.Println("left", end)
		for i := range n {
			if !yield(i) {
				return
			}
		}
		switch end {
		case "panic":
			panic("in the iterator")
		case "exit":
			runtime.Goexit()
		}
	}
}

func try(f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("recovered", r)
		}
	}()
	f()
}

// primes is a sieve of pulled iterators.
func primes(yield func(int) bool) {
	seq := iter.Seq[int](func(yield func(int) bool) {
		for i := 2; yield(i); i++ {
		}
	})
	for {
		next, stop := iter.Pull(seq)
		defer stop()
		p, _ := next()
		if !yield(p) {
			return
		}
		seq = func(yield func(int) bool) {
			for n, ok := next(); ok; n, ok = next() {
				if n%p != 0 && !yield(n) {
					return
				}
			}
		}
	}
}

func merge(a, b iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		nextB, stop := iter.Pull(b)
		defer stop()
		y, ok := nextB()
		for x := range a {
			for ok && y < x {
				if !yield(y) {
					return
				}
				y, ok = nextB()
			}
			if !yield(x) {
				return
			}
		}
		for ok && yield(y) {
			y, ok = nextB()
		}
	}
}

func main() {
	next, stop := iter.Pull(count(2, "end"))
	for range 4 {
		fmt.Println(next())
	}
	stop()
	next, stop = iter.Pull(count(5, "early"))
	fmt.Println(next())
	stop()
	stop()
	fmt.Println(next())
	next, stop = iter.Pull(count(5, "never"))
	stop()
	fmt.Println(next())
	next, stop = iter.Pull(count(1, "panic"))
	fmt.Println(next())
	try(func() { next() })
	fmt.Println(next())
	stop()
	done := make(chan bool)
	go func() {
		defer close(done)
		next, stop := iter.Pull(count(0, "exit"))
		defer stop()
		next()
		fmt.Println("not here")
	}()
	<-done
	next2, stop2 := iter.Pull2(slices.All([]string{"a", "b"}))
	defer stop2()
	for i, s, ok := next2(); ok; i, s, ok = next2() {
		fmt.Println(i, s)
	}
	fmt.Println(next2())
	n := 0
	for p := range primes {
		fmt.Print(p, " ")
		if n++; n == 20 {
			break
		}
	}
	fmt.Println()
	fmt.Println(slices.Collect(merge(slices.Values([]int{1, 4, 6}), slices.Values([]int{2, 3, 5, 9, 10}))))
}
