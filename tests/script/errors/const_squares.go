// errorcheck
// SPDX-License-Identifier: MIT

package main

// Squares of squares of a float that is whole take no more memory than others.
const (
	c1  = 1e400
	c2  = c1 * c1
	c3  = c2 * c2
	c4  = c3 * c3
	c5  = c4 * c4
	c6  = c5 * c5
	c7  = c6 * c6
	c8  = c7 * c7
	c9  = c8 * c8
	c10 = c9 * c9
	c11 = c10 * c10
	c12 = c11 * c11
	c13 = c12 * c12
	c14 = c13 * c13
	c15 = c14 * c14
	c16 = c15 * c15
	c17 = c16 * c16
	c18 = c17 * c17
	c19 = c18 * c18
	c20 = c19 * c19
	c21 = c20 * c20
	c22 = c21 * c21 // ERROR "constant result is not representable"
	c23 = c22 * c22
	c24 = c23 * c23
)

// Of what was that large an integer can come again, or one that is too large.
var (
	a int8                  = c3 / c2 / c2 * 128         // ERROR "cannot use c3 / c2 / c2 \* 128 \(untyped float constant 128\) as int8 value in variable declaration \(truncated\)"
	b uint                  = -c3 / c3                   // ERROR "cannot use -c3 / c3 \(untyped float constant -1\) as uint value in variable declaration \(truncated\)"
	d [c9 / c8 / c8 / 2]int                              // ERROR "array length c9 / c8 / c8 / 2 \(untyped float constant 0\.5\) must be integer"
	e                       = c9 / c8 / c8 << -(c9 / c9) // ERROR "invalid operation: negative shift count -\(c9 / c9\) \(untyped float constant -1\)"
	f int                   = c9/c9 + 1e-100             // ERROR "cannot use c9 / c9 \+ 1e-100 \(untyped float constant 1\) as int value in variable declaration \(truncated\)"
	g int                   = c9/c9 + 1e-160
	h                       = c9 << 1 // ERROR "invalid operation: shifted operand c9 \(untyped float constant 1e\+102400\) must be integer"
)

func main() {}
