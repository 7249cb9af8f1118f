// run
// SPDX-License-Identifier: MIT

// Products and quotients of complex64, whose parts are rounded as gc does.
package main

import "fmt"

type named complex64

const (
	ca complex64 = 1.1 + 2.3i
	cb complex64 = 3.3 + 4.7i
)

func mul(a, b complex64) complex64 { return a * b }

func main() {
	a, b := complex64(complex(1.1, 2.3)), complex64(complex(3.3, 4.7))
	fmt.Println(a*b, b*a, ca*cb, a*cb, ca/cb, a/b, a*2, a*1i)
	e := complex64(complex(1e30, 1e30))
	fmt.Println(e*e, e/e, mul(e, -e))
	n := named(a)
	n *= named(b)
	s := []complex64{a, b, e}
	s[0] *= s[1]
	fmt.Println(n, s, complex64(complex128(a)*complex128(b)))
	x := uint32(1)
	next := func() float32 {
		x = x*1664525 + 1013904223
		return float32(int32(x)) / (1 << 20)
	}
	var sum complex64
	for i := 0; i < 2000; i++ {
		p, q := complex(next(), next()), complex(next(), next())
		r := p*q + q/p
		sum += r
		if i%200 == 0 {
			fmt.Println(p*q, q/p, p*p-q*q)
		}
	}
	fmt.Println(sum)
}
