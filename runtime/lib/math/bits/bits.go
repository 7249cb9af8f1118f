// SPDX-License-Identifier: MIT

// Package bits counts and moves bits of unsigned integers. The functions
// that the processor has instructions for are natives (native.c).
package bits

// UintSize is the size of a uint in bits.
const UintSize = 64

//native LeadingZeros64
func LeadingZeros(x uint) int
func LeadingZeros8(x uint8) int
func LeadingZeros16(x uint16) int
func LeadingZeros32(x uint32) int
func LeadingZeros64(x uint64) int
//native TrailingZeros64
func TrailingZeros(x uint) int
func TrailingZeros8(x uint8) int
func TrailingZeros16(x uint16) int
func TrailingZeros32(x uint32) int
func TrailingZeros64(x uint64) int
//native OnesCount64
func OnesCount(x uint) int
//native OnesCount64
func OnesCount8(x uint8) int
//native OnesCount64
func OnesCount16(x uint16) int
//native OnesCount64
func OnesCount32(x uint32) int
func OnesCount64(x uint64) int
//native RotateLeft64
func RotateLeft(x uint, k int) uint
func RotateLeft8(x uint8, k int) uint8
func RotateLeft16(x uint16, k int) uint16
func RotateLeft32(x uint32, k int) uint32
func RotateLeft64(x uint64, k int) uint64
//native Reverse64
func Reverse(x uint) uint
func Reverse8(x uint8) uint8
func Reverse16(x uint16) uint16
func Reverse32(x uint32) uint32
func Reverse64(x uint64) uint64
//native ReverseBytes64
func ReverseBytes(x uint) uint
func ReverseBytes16(x uint16) uint16
func ReverseBytes32(x uint32) uint32
func ReverseBytes64(x uint64) uint64
//native Len64
func Len(x uint) int
//native Len64
func Len8(x uint8) int
//native Len64
func Len16(x uint16) (n int)
//native Len64
func Len32(x uint32) (n int)
func Len64(x uint64) int

//native Add64
func Add(x, y, carry uint) (sum, carryOut uint)
func Add64(x, y, carry uint64) (sum, carryOut uint64)

//native Sub64
func Sub(x, y, borrow uint) (diff, borrowOut uint)
func Sub64(x, y, borrow uint64) (diff, borrowOut uint64)

//native Mul64
func Mul(x, y uint) (hi, lo uint)
func Mul64(x, y uint64) (hi, lo uint64)

// div64 needs hi < y.
func div64(hi, lo, y uint64) (quo, rem uint64)

// Add32 returns x + y + carry, which is 0 or 1, and the carry.
func Add32(x, y, carry uint32) (sum, carryOut uint32) {
	s := uint64(x) + uint64(y) + uint64(carry)
	return uint32(s), uint32(s >> 32)
}

// Sub32 returns x - y - borrow, which is 0 or 1, and the borrow.
func Sub32(x, y, borrow uint32) (diff, borrowOut uint32) {
	d := uint64(x) - uint64(y) - uint64(borrow)
	return uint32(d), uint32(d >> 63)
}

// Mul32 returns the product of x and y.
func Mul32(x, y uint32) (hi, lo uint32) {
	p := uint64(x) * uint64(y)
	return uint32(p >> 32), uint32(p)
}

// Div returns the quotient and remainder of (hi, lo) / y; it panics if y is 0
// or the quotient does not fit.
func Div(hi, lo, y uint) (quo, rem uint) {
	q, r := Div64(uint64(hi), uint64(lo), uint64(y))
	return uint(q), uint(r)
}

// Div32 returns the quotient and remainder of (hi, lo) / y; it panics if y is
// 0 or the quotient does not fit.
func Div32(hi, lo, y uint32) (quo, rem uint32) {
	if y != 0 && y <= hi {
		panic(overflowError)
	}
	z := uint64(hi)<<32 | uint64(lo)
	return uint32(z / uint64(y)), uint32(z % uint64(y))
}

// Div64 returns the quotient and remainder of (hi, lo) / y; it panics if y is
// 0 or the quotient does not fit.
func Div64(hi, lo, y uint64) (quo, rem uint64) {
	if y == 0 {
		return lo / y, 0 // panics
	}
	if y <= hi {
		panic(overflowError)
	}
	return div64(hi, lo, y)
}

// Rem returns the remainder of (hi, lo) / y; it panics if y is 0.
func Rem(hi, lo, y uint) uint {
	return uint(Rem64(uint64(hi), uint64(lo), uint64(y)))
}

// Rem32 returns the remainder of (hi, lo) / y; it panics if y is 0.
func Rem32(hi, lo, y uint32) uint32 {
	return uint32((uint64(hi)<<32 | uint64(lo)) % uint64(y))
}

// Rem64 returns the remainder of (hi, lo) / y; it panics if y is 0.
func Rem64(hi, lo, y uint64) uint64 {
	_, rem := Div64(hi%y, lo, y)
	return rem
}

// overflowError is the panic of a quotient that does not fit.
var overflowError = newError("integer overflow")

type runtimeError string

func newError(s string) error { return runtimeError(s) }

func (e runtimeError) RuntimeError() {}

func (e runtimeError) Error() string { return "runtime error: " + string(e) }
