// run
// SPDX-License-Identifier: MIT

// Bits that are counted are instructions: operands and results in all places,
// words of each size, zero, and tables that are indexed by the results.
package main

import (
	"fmt"
	"math"
	"math/bits"
)

var bad int

func same(what string, x uint64, got, want int) {
	if got != want {
		if bad++; bad < 20 {
			fmt.Printf("%s of %x: %d, not %d\n", what, x, got, want)
		}
	}
}

// The same bit by bit.
func ones(x uint64) (n int) {
	for ; x != 0; x >>= 1 {
		n += int(x & 1)
	}
	return n
}

func length(x uint64) (n int) {
	for ; x != 0; x >>= 1 {
		n++
	}
	return n
}

func low(x uint64, size int) (n int) {
	for n = 0; n < size && x>>n&1 == 0; n++ {
	}
	return n
}

func all(x uint64) {
	a, b, c := uint8(x), uint16(x), uint32(x)
	same("OnesCount", x, bits.OnesCount(uint(x)), ones(x))
	same("OnesCount8", x, bits.OnesCount8(a), ones(uint64(a)))
	same("OnesCount16", x, bits.OnesCount16(b), ones(uint64(b)))
	same("OnesCount32", x, bits.OnesCount32(c), ones(uint64(c)))
	same("OnesCount64", x, bits.OnesCount64(x), ones(x))
	same("Len", x, bits.Len(uint(x)), length(x))
	same("Len8", x, bits.Len8(a), length(uint64(a)))
	same("Len16", x, bits.Len16(b), length(uint64(b)))
	same("Len32", x, bits.Len32(c), length(uint64(c)))
	same("Len64", x, bits.Len64(x), length(x))
	same("LeadingZeros", x, bits.LeadingZeros(uint(x)), 64-length(x))
	same("LeadingZeros8", x, bits.LeadingZeros8(a), 8-length(uint64(a)))
	same("LeadingZeros16", x, bits.LeadingZeros16(b), 16-length(uint64(b)))
	same("LeadingZeros32", x, bits.LeadingZeros32(c), 32-length(uint64(c)))
	same("LeadingZeros64", x, bits.LeadingZeros64(x), 64-length(x))
	same("TrailingZeros", x, bits.TrailingZeros(uint(x)), low(x, 64))
	same("TrailingZeros8", x, bits.TrailingZeros8(a), low(x, 8))
	same("TrailingZeros16", x, bits.TrailingZeros16(b), low(x, 16))
	same("TrailingZeros32", x, bits.TrailingZeros32(c), low(x, 32))
	same("TrailingZeros64", x, bits.TrailingZeros64(x), low(x, 64))
}

// What is called by its value is the function.
var values = []func(uint64) int{bits.OnesCount64, bits.Len64, bits.LeadingZeros64, bits.TrailingZeros64}

func called(x uint64) {
	same("OnesCount64, called", x, values[0](x), bits.OnesCount64(x))
	same("Len64, called", x, values[1](x), bits.Len64(x))
	same("LeadingZeros64, called", x, values[2](x), bits.LeadingZeros64(x))
	same("TrailingZeros64, called", x, values[3](x), bits.TrailingZeros64(x))
}

// The operand is a float's bits, and the result becomes a float.
func floats(f float64) float64 {
	f *= 1.5
	sum := float64(bits.OnesCount64(math.Float64bits(f)))
	sum += float64(bits.TrailingZeros64(math.Float64bits(f)))
	sum += float64(bits.LeadingZeros32(math.Float32bits(float32(f))))
	return sum + float64(bits.Len64(math.Float64bits(f)))
}

// More values than there are registers; some operands are overwritten.
func many(p *[16]uint64) (n int) {
	a, b, c, d := p[0], p[1], p[2], p[3]
	e, f, g, h := p[4], p[5], p[6], p[7]
	i, j, k, l := p[8], p[9], p[10], p[11]
	m, o, q, r := p[12], p[13], p[14], p[15]
	for s := 0; s < 3; s++ {
		a, b = uint64(bits.OnesCount64(a)), b+uint64(bits.Len64(b))
		c, d = uint64(bits.TrailingZeros64(c)), d^uint64(bits.LeadingZeros64(d))
		e, f = uint64(bits.TrailingZeros16(uint16(e))), uint64(bits.LeadingZeros8(uint8(f)))
		g, h = uint64(bits.TrailingZeros32(uint32(g)))+h, uint64(bits.Len32(uint32(h)))
		i, j = uint64(bits.OnesCount64(j)), uint64(bits.OnesCount64(i))
		k, l = uint64(bits.LeadingZeros64(l)), uint64(bits.TrailingZeros64(k))
		m, o = uint64(bits.OnesCount8(uint8(o))), uint64(bits.Len16(uint16(m)))
		q, r = uint64(bits.TrailingZeros8(uint8(r))), uint64(bits.OnesCount32(uint32(q)))
		n = n*31 + int(a+2*b+3*c+4*d+5*e+6*f+7*g+8*h+9*i+10*j+11*k+12*l+13*m+14*o+15*q+16*r)
	}
	return n
}

// The tables are as long as the results need, or one shorter.
func tables(x uint64) (n int) {
	var t65 [65]int
	var t64 [64]int
	var t9 [9]int
	var t8 [8]int
	defer func() {
		if recover() != nil {
			n += 1000
		}
	}()
	for i := 0; i < 2; i++ {
		t65[bits.Len64(x)]++
		t65[bits.OnesCount64(x)]++
		t9[bits.TrailingZeros8(uint8(x))]++
		t9[bits.LeadingZeros8(uint8(x))]++
		n += t65[bits.LeadingZeros64(x)] + t9[bits.OnesCount8(uint8(x))] + 1
		t8[bits.TrailingZeros8(uint8(x))]++
		n += 10
		t64[bits.TrailingZeros64(x)]++
		t64[bits.OnesCount64(x)]++
		n += 100
		t8[bits.Len8(uint8(x))] += t64[bits.LeadingZeros64(x)]
	}
	return n
}

// One table for each, which zero is too much for.
func zero(x uint64, which int) (n int) {
	var t [64]int
	defer func() {
		if recover() != nil {
			n += 1000
		}
	}()
	for i := 0; i < 2; i++ {
		switch which {
		case 0:
			t[bits.LeadingZeros64(x)]++
		case 1:
			t[bits.TrailingZeros64(x)]++
		case 2:
			t[bits.OnesCount64(^x)]++
		case 3:
			t[bits.Len64(^x)]++
		case 4:
			t[bits.Len64(x)-1]++
		}
		n++
	}
	return n
}

func consts() {
	fmt.Println(bits.OnesCount8(200), bits.Len(0), bits.LeadingZeros32(1), bits.TrailingZeros16(0))
	var e any = bits.Len64(1 << 40)
	fmt.Printf("%T %v\n", e, e)
	bits.Len64(next())
	defer bits.OnesCount64(next())
	fmt.Println(bits.OnesCount64(next())+bits.TrailingZeros64(next()), calls)
}

var calls int

func next() uint64 { calls++; return 0xF0E1D2C3B4A59600 }

func main() {
	total, f := 0, 0.0
	for round := 0; round < 30; round++ {
		for i := 0; i < 5; i++ {
			total = total*3 + zero(0, i) + 7*zero(1, i)
		}
		for i := 0; i < 64; i++ {
			x := uint64(1) << i
			all(x)
			all(x - 1)
			all(^x)
			all(x * 0x9E3779B97F4A7C15)
			called(x - 1)
			called(x | 1<<63)
			f += floats(float64(x) + float64(round))
			total = total*7 + tables(x-1) + tables(x*3) + tables(^(x - 1))
			var p [16]uint64
			for k := range p {
				p[k] = x * uint64(k) * 0x9E3779B97F4A7C15 >> (k + round&7)
			}
			total = total*7 + many(&p)
		}
	}
	fmt.Println(bad, total, f, tables(0), tables(1), tables(0x80), tables(^uint64(0)), tables(1<<63))
	consts()
}
