// errorcheck
// SPDX-License-Identifier: MIT

// What may be done with operands whose type is a type parameter.

package main

type ints interface{ ~int | ~uint8 }

type text interface{ ~string | ~[]byte }

func ops[T any, I ints, S text, C comparable, F ~func(int) string, M ~map[string]int, H chan int | <-chan int](
	t T, i I, s S, c C, f F, m M, h H) {

	t = nil // ERROR "cannot use nil as T value in assignment"
	m = nil
	var _ map[T]int // ERROR "invalid map key type T \(missing comparable constraint\)"
	t.x = 1         // ERROR "t\.x undefined \(type T has no field or method x\)"
	_ = *t          // ERROR "invalid operation: cannot indirect t \(variable of type T constrained by any\)"
	_ = -s          // ERROR "invalid operation: operator - not defined on s \(variable of type S constrained by text\)"
	p := &t
	p.x()            // ERROR "p\.x undefined \(type \*T is pointer to type parameter, not type parameter\)"
	const _ = len(m) // ERROR "len\(m\) \(value of type int\) is not constant"
}

func main() {}
