// errorcheck
// SPDX-License-Identifier: MIT

// What may be done with operands whose type is a type parameter.

package main

type ints interface{ ~int | ~uint8 }

type text interface{ ~string | ~[]byte }

func ops[T any, I ints, S text, C comparable, F ~func(int) string, M ~map[string]int, H chan int | <-chan int](
	t T, i I, s S, c C, f F, m M, h H) {
	_ = t + t  // ERROR "invalid operation: operator \+ not defined on t \(variable of type T constrained by any\)"
	_ = t == t // ERROR "invalid operation: t == t \(incomparable types in type set\)"
	_ = c == c
	_ = c < c // ERROR "invalid operation: c < c \(type parameter C cannot use operator <\)"
	i += 1
	i = i<<2 | 7
	i = 300 // ERROR "cannot use 300 \(untyped int constant\) as I value in assignment"
	i = "a" // ERROR "cannot use .a. \(untyped string constant\) as I value in assignment"
	_ = I(2) + i
	_ = I(1000) // ERROR "cannot convert 1000 \(untyped int value\) to type I: constant 1000 overflows uint8 \(in I\)"
	_ = string(s) + "x"
	_ = s[0]
	_ = s[1:]
	s[0] = 1 // ERROR "cannot assign to s\[0\] \(neither addressable nor a map index expression\)"
	_ = len(s)
	_ = cap(s) // ERROR "invalid argument: s \(variable of type S constrained by text\) for built-in cap"
}

func main() {}
