// run
// SPDX-License-Identifier: MIT

// Generic functions: explicit, inferred and partly inferred arguments,
// recursion, functions as values and arguments, zero values.
package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64
}

func sum[T number](xs ...T) T {
	var s T
	for _, x := range xs {
		s += x
	}
	return s
}

func apply[A, B any](xs []A, f func(A) B) []B {
	out := make([]B, 0, len(xs))
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

func reduce[A, B any](xs []A, b B, f func(B, A) B) B {
	for _, x := range xs {
		b = f(b, x)
	}
	return b
}

func keep[S ~[]E, E any](s S, f func(E) bool) S {
	var out S
	for _, e := range s {
		if f(e) {
			out = append(out, e)
		}
	}
	return out
}

func zero[T any]() T {
	var t T
	return t
}

func ptr[T any](t T) *T { return &t }

func pair[A, B any](a A, b B) (B, A) { return b, a }

func convert[To, From number](x From) To { return To(x) }

// Recursion, through itself and another one, with other arguments.
func depth[T any](n int, t T) string {
	if n == 0 {
		return fmt.Sprintf("%T", t)
	}
	if n%2 == 0 {
		return depth(n-1, t)
	}
	return other[T, string](n-1, "x", t)
}

func other[A, B any](n int, b B, a A) string { return depth(n, a) + "/" + depth(0, b) }

func gcd[T ~int | ~uint](a, b T) T {
	if b == 0 {
		return a
	}
	return gcd(b, a%b)
}

func compose[A, B, C any](f func(A) B, g func(B) C) func(A) C {
	return func(a A) C { return g(f(a)) }
}

func identity[T any](t T) T { return t }

func call[T any](f func(T) T, t T) T { return f(t) }

func named[T any](n int, t T) (first T, count int, err error) {
	if n < 0 {
		err = errors.New("negative")
		return
	}
	first, count = t, n
	return
}

type ints []int

func (s ints) String() string { return fmt.Sprint("ints", []int(s)) }

type celsius float64

func main() {
	fmt.Println(sum(1, 2, 3), sum(1.5, 2), sum[int8](100, 27, 1), sum[float32]())
	fmt.Println(sum(celsius(1.5), 2))
	fmt.Println(apply([]int{1, 2, 3}, strconv.Itoa), apply([]string{"a", "b"}, strings.ToUpper))
	fmt.Println(reduce([]int{1, 2, 3}, "", func(s string, i int) string { return s + strconv.Itoa(i) }))
	fmt.Println(keep(ints{1, 2, 3, 4}, func(i int) bool { return i%2 == 0 }))
	fmt.Printf("%v %q %v %v %v\n", zero[int](), zero[string](), zero[[]int]() == nil, zero[struct{ a, b int }](), zero[error]())
	fmt.Println(*ptr(3), *ptr("s"), *ptr(ints{1}), **ptr(ptr(2.5)))
	fmt.Println(pair(1, "x"))
	fmt.Println(convert[int](3.9), convert[int8](300), convert[float64](7), convert[celsius](int16(2)))
	fmt.Println(depth(5, 1.5), depth(4, ints(nil)))
	fmt.Println(gcd(84, 36), gcd[uint](17, 5))
	fmt.Println(compose(strconv.Itoa, func(s string) int { return len(s) })(12345))
	f := identity[string]
	var g func(int) int = identity
	fmt.Println(f("f"), g(7), call(identity, 1.5), call(identity[ints], ints{3}))
	fmt.Println(named(2, "x"))
	fmt.Println(named(-2, 2))
	fs := []func(int) int{identity[int], func(i int) int { return -i }, gcd1[int]}
	for _, f := range fs {
		fmt.Print(f(9), " ")
	}
	fmt.Println()
}

func gcd1[T ~int](x T) T { return gcd(x, 6) }
