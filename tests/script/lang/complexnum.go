// run
// SPDX-License-Identifier: MIT

// Complex numbers: arithmetic, comparison, conversion, formatting.
package main

import "fmt"

type C complex64

func mandel(c complex128) int {
	z := 0i
	for i := 0; i < 50; i++ {
		z = z*z + c
		if real(z)*real(z)+imag(z)*imag(z) > 4 {
			return i
		}
	}
	return 50
}

func roots(a, b complex128) (sum, diff, prod, quot complex128) {
	return a + b, a - b, a * b, a / b
}

func main() {
	a, b := 3+4i, complex(1, -2)
	fmt.Println(roots(a, b))
	fmt.Println(a == b, a != b, a == 3+4i, -a, +b)
	fmt.Println(real(a), imag(a), real(b)*imag(b))
	var c64 complex64 = complex64(a) / 3
	fmt.Println(c64, real(c64), imag(c64))
	fmt.Printf("%T %T %T %v\n", c64, real(c64), a, C(c64))
	fmt.Printf("%.2f %8.3f %g %e %v\n", a, b, a/b, a, 1i)
	var z complex128
	z += a
	z *= 2i
	z -= 1
	z /= 2
	fmt.Println(z)
	fmt.Println(1/(a-a), -1/(a-a) == 1/(a-a))
	m := map[complex128]string{1 + 2i: "x", 0: "zero"}
	fmt.Println(m[complex(1, 2)], m[0i], len(m[5]))
	arr := [2]complex64{1, 2i}
	arr[0], arr[1] = arr[1], arr[0]
	p := &arr[1]
	*p += 5i
	fmt.Println(arr, *p)
	ch := make(chan complex128, 1)
	ch <- a * b
	fmt.Println(<-ch)
	var e interface{} = a
	if v, ok := e.(complex128); ok {
		fmt.Println("complex128", v)
	}
	fmt.Println(e == interface{}(3+4i), e == interface{}(complex64(3+4i)))
	for y := -1.0; y <= 1.0; y += 0.5 {
		for x := -2.0; x <= 0.5; x += 0.25 {
			fmt.Print(mandel(complex(x, y)), " ")
		}
		fmt.Println()
	}
	st := struct {
		a complex64
		b complex128
	}{1 + 1i, 2 - 2i}
	fmt.Printf("%v %+v\n", st, st)
	f := func(c complex128) (re, im float64) { return real(c), imag(c) }
	fmt.Println(f(1.5 - 2.5i))
}
