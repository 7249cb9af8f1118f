// run
// SPDX-License-Identifier: MIT

// Functions whose machine code is their caller's: their frames are seen all
// the same by panics, runtime.Callers, the collector and growing stacks.
package main

import (
	"fmt"
	"iter"
	"runtime"
	"strings"
)

type stack struct{ v []*int }

func (s *stack) push(x int) { s.v = append(s.v, &x) }
func (s *stack) pop() int {
	p := s.v[len(s.v)-1]
	s.v = s.v[:len(s.v)-1]
	return *p
}

func names() string {
	var pcs [8]uintptr
	var out []string
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "main.") {
			out = append(out, fmt.Sprint(f.Function, ":", f.Line))
		}
		if !more {
			return strings.Join(out, " ")
		}
	}
}

func third(n int) string  { return names() }
func second(n int) string { return third(n) }
func first(n int) string  { return second(n) }

func div(a, b int) int  { return a / b }
func div2(a, b int) int { return div(a, b) + div(b, a) }

func try(a, b int) (n int, err any) {
	defer func() { err = recover() }()
	for i := 0; i < 3; i++ {
		n += div2(a, b)
	}
	return n, nil
}

func upto(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func twice(f func(int) int, n int) int { return f(n) + f(n+1) }

// The closure is not the one that the code before would suggest.
func either(up bool, n int) int {
	f := func(i int) int { return i + n }
	if up {
		f = func(i int) int { return i * n }
	}
	return twice(f, 5)
}

func deep(n int) int {
	if n == 0 {
		return 1
	}
	return twice(func(i int) int { return i - n }, deep(n-1)%1000)
}

func four(a int) (int, string, int, int) { return a, "x", a + 1, a + 2 }
func sum4(a int) int {
	p, s, q, r := four(a)
	return p + len(s) + q*r
}

func main() {
	var s stack
	n := 0
	for i := 0; i < 3000; i++ {
		s.push(i)
		s.push(i * 2)
		n += s.pop() - sum4(i)%7
		if i%1000 == 0 {
			runtime.GC()
		}
	}
	for len(s.v) > 0 {
		n += s.pop()
	}
	fmt.Println(n)
	for i := 0; i < 2; i++ {
		fmt.Println(first(i))
	}
	fmt.Println(try(6, 3))
	fmt.Println(try(6, 0))
	fmt.Println(either(true, 3), either(false, 3), deep(3000))
	total := 0
	for i := range upto(2000) {
		for k := range upto(i % 5) {
			if k == 3 {
				break
			}
			total += i * k
		}
		if i == 1800 {
			fmt.Println(strings.Count(names(), " "))
			break
		}
	}
	fmt.Println(total)
	func() {
		defer func() { fmt.Println(recover(), total) }()
		for i := range upto(100) {
			total += div(1000, 50-i)
		}
	}()
	fmt.Println(try(0, 5))
}
