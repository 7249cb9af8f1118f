// run
// SPDX-License-Identifier: MIT

// Rotations by constants, which are instructions of their own, are what the
// functions of math/bits say when they are called.
package main

import (
	"fmt"
	"math/bits"
)

const big = 1<<40 + 5

type word uint32

func arg() (uint32, int) { return 0x80000001, 4 }

var calls int

func next() uint64 { calls++; return 0xF0E1D2C3B4A59687 }

func main() {
	r, r8, r16, r32, r64 := bits.RotateLeft, bits.RotateLeft8, bits.RotateLeft16, bits.RotateLeft32, bits.RotateLeft64
	sum := uint64(0)
	for i := uint64(0); i < 1000; i++ {
		x := i * 0x9E3779B97F4A7C15
		a, b, c := uint8(x), uint16(x), uint32(x)
		ok := bits.RotateLeft8(a, 3) == r8(a, 3) && bits.RotateLeft8(a, 0) == r8(a, 0) &&
			bits.RotateLeft8(a, 8) == r8(a, 8) && bits.RotateLeft8(a, -1) == r8(a, -1) &&
			bits.RotateLeft16(b, 5) == r16(b, 5) && bits.RotateLeft16(b, -17) == r16(b, -17) &&
			bits.RotateLeft16(b, 16) == r16(b, 16) && bits.RotateLeft16(b, 15) == r16(b, 15) &&
			bits.RotateLeft32(c, 7) == r32(c, 7) && bits.RotateLeft32(c, 0) == r32(c, 0) &&
			bits.RotateLeft32(c, 32) == r32(c, 32) && bits.RotateLeft32(c, -7) == r32(c, -7) &&
			bits.RotateLeft32(c, 31) == r32(c, 31) && bits.RotateLeft32(c, big) == r32(c, big) &&
			bits.RotateLeft64(x, 13) == r64(x, 13) && bits.RotateLeft64(x, 0) == r64(x, 0) &&
			bits.RotateLeft64(x, 64) == r64(x, 64) && bits.RotateLeft64(x, -64) == r64(x, -64) &&
			bits.RotateLeft64(x, -63) == r64(x, -63) && bits.RotateLeft64(x, 63) == r64(x, 63) &&
			bits.RotateLeft(uint(x), 21) == r(uint(x), 21) && bits.RotateLeft(uint(x), -big) == r(uint(x), -big)
		if !ok {
			fmt.Println("differs:", x)
		}
		x ^= bits.RotateLeft64(x, 31)
		c += bits.RotateLeft32(c+uint32(i), 9) ^ bits.RotateLeft32(c, 22)
		sum += x + uint64(c)
	}
	fmt.Printf("%#x\n", sum)
	fmt.Println(bits.RotateLeft8(200+100-256+0, 1), bits.RotateLeft16(0x8001, 1), bits.RotateLeft32(0xF0000000, 4))
	fmt.Println(bits.RotateLeft32(arg()), word(bits.RotateLeft32(uint32(word(3)), -1)))
	fmt.Printf("%#x %d\n", bits.RotateLeft64(next(), 8)+bits.RotateLeft64(next(), -8), calls)
	bits.RotateLeft64(next(), 1)
	defer bits.RotateLeft64(next(), 1)
	go bits.RotateLeft64(next(), 1)
	var e any = bits.RotateLeft32(1, 31)
	fmt.Printf("%T %v %d\n", e, e, calls)
}
