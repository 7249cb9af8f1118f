// run
// SPDX-License-Identifier: MIT

// Closures, defer, recover, goroutines, channels and select in generic
// functions.
package main

import (
	"fmt"
	"sort"
	"sync"
)

func counter[T any](step func(T) T) func(T) (T, int) {
	n := 0
	return func(t T) (T, int) {
		n++
		return step(t), n
	}
}

func try[T any](f func() T) (t T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%T: %v", t, r)
		}
	}()
	return f(), nil
}

func deferred[T any](ts []T) (out []T) {
	for _, t := range ts {
		defer func() { out = append(out, t) }()
	}
	defer show("deferred", len(ts))
	return nil
}

func show[A, B any](a A, b B) { fmt.Println(a, b) }

func generate[T any](ts ...T) <-chan T {
	c := make(chan T)
	go func() {
		defer close(c)
		for _, t := range ts {
			c <- t
		}
	}()
	return c
}

func merge[T any](cs ...<-chan T) []T {
	out := make(chan T)
	var wg sync.WaitGroup
	for _, c := range cs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for t := range c {
				out <- t
			}
		}()
	}
	go func() { wg.Wait(); close(out) }()
	var all []T
	for t := range out {
		all = append(all, t)
	}
	return all
}

func either[A, B any](a <-chan A, b <-chan B) (x A, y B, which string) {
	select {
	case v, ok := <-a:
		return v, y, fmt.Sprint("a ", ok)
	case y = <-b:
		return x, y, "b"
	}
}

type Lazy[T any] struct {
	once sync.Once
	make func() T
	val  T
}

func (l *Lazy[T]) Get() T {
	l.once.Do(func() { l.val = l.make() })
	return l.val
}

// A closure in a closure, with variables that are captured by reference, by
// value and per iteration.
func nest[T any](ts []T, wrap func(T) T) []func() []T {
	var fs []func() []T
	var seen []T
	for i, t := range ts {
		fs = append(fs, func() []T {
			seen = append(seen, t)
			f := func() T { return wrap(ts[i]) }
			t = f()
			return append(seen[:len(seen):len(seen)], t)
		})
	}
	return fs
}

func fold[T any](n int, t T, f func(T) T) T {
	var rec func(int, T) T
	rec = func(n int, t T) T {
		if n == 0 {
			return t
		}
		return rec(n-1, f(t))
	}
	return rec(n, t)
}

func main() {
	c := counter(func(i int) int { return i * 2 })
	c(1)
	fmt.Println(c(21))
	d := counter(func(s string) string { return s + "!" })
	fmt.Println(d("hey"))
	fmt.Println(try(func() int { return 1 }))
	fmt.Println(try(func() string { panic("oh") }))
	fmt.Println(try(func() int { var m map[string]int; m["a"] = 1; return 1 }))
	fmt.Println(deferred([]string{"a", "b", "c"}), deferred([]int{1, 2}))
	all := merge(generate(1, 2, 3), generate(10, 20))
	sort.Ints(all)
	fmt.Println(all)
	a, b := make(chan int, 1), make(chan string, 1)
	b <- "x"
	fmt.Println(either(a, b))
	close(a)
	fmt.Println(either[int, string](a, nil))
	l := &Lazy[[]int]{make: func() []int { fmt.Println("made"); return []int{1} }}
	fmt.Println(l.Get(), l.Get())
	for _, f := range nest([]string{"p", "q"}, func(s string) string { return "<" + s + ">" }) {
		fmt.Println(f(), f())
	}
	fmt.Println(fold(5, 1, func(i int) int { return i * 3 }), fold(3, "a", func(s string) string { return s + s }))
}
