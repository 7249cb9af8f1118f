// run

// math/bits' arithmetic with carries, as machine code has it: operands in all
// places, results that nobody wants, and carries that are neither 0 nor 1.
package main

import (
	"fmt"
	"math"
	"math/bits"
)

func add(x, y, c uint64) (uint64, uint64) {
	s := x + y + c
	return s, (x&y | (x|y)&^s) >> 63
}

func sub(x, y, b uint64) (uint64, uint64) {
	d := x - y - b
	return d, (^x&y | ^(x^y)&d) >> 63
}

func mul(x, y uint64) (uint64, uint64) {
	x0, x1, y0, y1 := x&(1<<32-1), x>>32, y&(1<<32-1), y>>32
	t := x1*y0 + x0*y0>>32
	return x1*y1 + t>>32 + (t&(1<<32-1)+x0*y1)>>32, x * y
}

var words = []uint64{0, 1, 2, 3, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<33 + 5,
	1<<62 + 1, 1<<63 - 1, 1 << 63, 1<<63 + 1, 0x9e3779b97f4a7c15, ^uint64(1), ^uint64(0)}

var bad int

func same(what string, a, b, c, d uint64) {
	if a != c || b != d {
		if bad++; bad < 20 {
			fmt.Printf("%s: %x %x, not %x %x\n", what, a, b, c, d)
		}
	}
}

func all(x, y, c uint64) {
	a, b := bits.Add64(x, y, c)
	d, e := add(x, y, c)
	same("Add64", a, b, d, e)
	a, b = bits.Sub64(x, y, c)
	d, e = sub(x, y, c)
	same("Sub64", a, b, d, e)
	a, b = bits.Mul64(x, y)
	d, e = mul(x, y)
	same("Mul64", a, b, d, e)
	p, q := bits.Add(uint(x), uint(y), uint(c))
	d, e = add(x, y, c)
	same("Add", uint64(p), uint64(q), d, e)
	p, q = bits.Sub(uint(x), uint(y), uint(c))
	d, e = sub(x, y, c)
	same("Sub", uint64(p), uint64(q), d, e)
	p, q = bits.Mul(uint(x), uint(y))
	d, e = mul(x, y)
	same("Mul", uint64(p), uint64(q), d, e)
	// The operands are used again, and one is both.
	a, b = bits.Add64(x, x, c)
	d, e = add(x, x, c)
	same("Add64 of one", a+x, b+c, d+x, e+c)
	a, b = bits.Sub64(y, y, c)
	d, e = sub(y, y, c)
	same("Sub64 of one", a+y, b+c, d+y, e+c)
	a, b = bits.Mul64(y, y)
	d, e = mul(y, y)
	same("Mul64 of one", a+y, b, d+y, e)
}

// consts has constants in each place.
func consts(x uint64) {
	a, b := bits.Add64(x, 77, 0)
	d, e := add(x, 77, 0)
	same("Add64 x 77 0", a, b, d, e)
	a, b = bits.Add64(0x7fffffff12345678, x, 1)
	d, e = add(0x7fffffff12345678, x, 1)
	same("Add64 const x 1", a, b, d, e)
	a, b = bits.Add64(5, 6, x&1)
	d, e = add(5, 6, x&1)
	same("Add64 5 6 x", a, b, d, e)
	a, b = bits.Sub64(x, 1<<40, 0)
	d, e = sub(x, 1<<40, 0)
	same("Sub64 x const 0", a, b, d, e)
	a, b = bits.Sub64(0, x, 1)
	d, e = sub(0, x, 1)
	same("Sub64 0 x 1", a, b, d, e)
	a, b = bits.Sub64(3, 4, x&1)
	d, e = sub(3, 4, x&1)
	same("Sub64 3 4 x", a, b, d, e)
	a, b = bits.Mul64(x, 3)
	d, e = mul(x, 3)
	same("Mul64 x 3", a, b, d, e)
	a, b = bits.Mul64(0x9e3779b97f4a7c15, x)
	d, e = mul(0x9e3779b97f4a7c15, x)
	same("Mul64 const x", a, b, d, e)
}

// floats has operands that are floats' bits, and results that become floats.
func floats(f, g float64) {
	f, g = f*1.5, g*2.5
	x, y := math.Float64bits(f), math.Float64bits(g)
	c := math.Float64bits(f-f) & 1
	a, b := bits.Add64(math.Float64bits(f), math.Float64bits(g), math.Float64bits(f-f))
	d, e := add(x, y, c)
	same("Add64 of floats", a, b, d, e)
	a, b = bits.Sub64(math.Float64bits(f), math.Float64bits(g), math.Float64bits(f-f))
	d, e = sub(x, y, c)
	same("Sub64 of floats", a, b, d, e)
	a, b = bits.Mul64(math.Float64bits(f), math.Float64bits(g))
	d, e = mul(x, y)
	same("Mul64 of floats", a, b, d, e)
	h, l := bits.Mul64(x, y)
	if u, v := math.Float64frombits(h), math.Float64frombits(l); u == v && h != l {
		fmt.Println(u, v)
	}
}

// halves wants one result of each.
func halves(x, y uint64) {
	s, _ := bits.Add64(x, y, 1)
	_, c := bits.Add64(x, y, 1)
	d, e := add(x, y, 1)
	same("halves of Add64", s, c, d, e)
	s, _ = bits.Sub64(x, y, 1)
	_, c = bits.Sub64(x, y, 1)
	d, e = sub(x, y, 1)
	same("halves of Sub64", s, c, d, e)
	h, _ := bits.Mul64(x, y)
	_, l := bits.Mul64(x, y)
	d, e = mul(x, y)
	same("halves of Mul64", h, l, d, e)
}

// chain adds vectors of more words than there are registers.
func chain(x, y *[12]uint64) (z [12]uint64, carry uint64) {
	var c uint64
	z[0], c = bits.Add64(x[0], y[0], 0)
	z[1], c = bits.Add64(x[1], y[1], c)
	z[2], c = bits.Add64(x[2], y[2], c)
	z[3], c = bits.Add64(x[3], y[3], c)
	z[4], c = bits.Add64(x[4], y[4], c)
	z[5], c = bits.Add64(x[5], y[5], c)
	z[6], c = bits.Add64(x[6], y[6], c)
	z[7], c = bits.Add64(x[7], y[7], c)
	z[8], c = bits.Add64(x[8], y[8], c)
	z[9], c = bits.Add64(x[9], y[9], c)
	z[10], c = bits.Add64(x[10], y[10], c)
	z[11], c = bits.Add64(x[11], y[11], c)
	return z, c
}

func main() {
	for round := 0; round < 40; round++ {
		for i, x := range words {
			for k, y := range words {
				all(x, y, 0)
				all(x, y, 1)
				halves(x, y)
				floats(float64(i)+0.1, float64(k)-7.3)
			}
			consts(x)
		}
	}
	fmt.Println(bad)
	var x, y [12]uint64
	for i := range x {
		x[i], y[i] = ^uint64(0), uint64(i*i)
	}
	sum := uint64(0)
	for i := 0; i < 20000; i++ {
		z, c := chain(&x, &y)
		for _, w := range z {
			sum = bits.RotateLeft64(sum, 7) ^ w
		}
		sum += c
		x[i%12] += sum
	}
	fmt.Printf("%x\n", sum)
}
