// errorcheck
// SPDX-License-Identifier: MIT

// What may be done with operands whose type is a type parameter.

package main

type ints interface{ ~int | ~uint8 }

type text interface{ ~string | ~[]byte }

func ops[T any, I ints, S text, C comparable, F ~func(int) string, M ~map[string]int, H chan int | <-chan int](
	t T, i I, s S, c C, f F, m M, h H) {
	for range s { // ERROR "cannot range over s \(variable of type S constrained by text\): string and \[\]byte have different underlying types"
	}
	_ = f(1) + ""
	_ = t() // ERROR "invalid operation: cannot call t \(variable of type T constrained by any\): no specific type"
	m["a"]++
	delete(m, "a")
	for k, v := range m {
		_, _ = k+"", v+1
	}
	for n := range i { // ERROR "cannot range over i \(variable of type I constrained by ints\): int and uint8 have different underlying types"
		n += i
	}
	_ = <-h
	h <- 1 // ERROR "invalid operation: cannot send to h \(variable of type H constrained by chan int \| <-chan int\): receive-only channel <-chan int"
	_ = make(M)
	_ = make(T) // ERROR "invalid argument: cannot make T: no specific type"
	_ = M{"a": 1}
	_ = T{}           // ERROR "invalid composite literal type T \(no common underlying type\)"
	_ = t.(int)       // ERROR "invalid operation: cannot use type assertion on type parameter value t \(variable of type T constrained by any\)"
	switch t.(type) { // ERROR "cannot use type switch on type parameter value t \(variable of type T constrained by any\)"
	}
	switch any(t).(type) {
	case int, []T, T:
	}
	var e interface{ String() string } = t // ERROR "cannot use t \(variable of type T constrained by any\) as interface\{String\(\) string\} value in variable declaration"
	_ = e
	var a any = t
	_ = a
}

func main() {}
