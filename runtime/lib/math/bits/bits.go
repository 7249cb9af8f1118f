// SPDX-License-Identifier: MIT

// Package bits counts and moves bits of unsigned integers. The functions
// that the processor has instructions for are natives (native.c).
package bits

// UintSize is the size of a uint in bits.
const UintSize = 64

//native LeadingZeros64
//race:none
func LeadingZeros(x uint) int
//race:none
func LeadingZeros8(x uint8) int
//race:none
func LeadingZeros16(x uint16) int
//race:none
func LeadingZeros32(x uint32) int
//race:none
func LeadingZeros64(x uint64) int
//native TrailingZeros64
//race:none
func TrailingZeros(x uint) int
//race:none
func TrailingZeros8(x uint8) int
//race:none
func TrailingZeros16(x uint16) int
//race:none
func TrailingZeros32(x uint32) int
//race:none
func TrailingZeros64(x uint64) int
//native OnesCount64
//race:none
func OnesCount(x uint) int
//native OnesCount64
//race:none
func OnesCount8(x uint8) int
//native OnesCount64
//race:none
func OnesCount16(x uint16) int
//native OnesCount64
//race:none
func OnesCount32(x uint32) int
//race:none
func OnesCount64(x uint64) int
//native RotateLeft64
//race:none
func RotateLeft(x uint, k int) uint
//race:none
func RotateLeft8(x uint8, k int) uint8
//race:none
func RotateLeft16(x uint16, k int) uint16
//race:none
func RotateLeft32(x uint32, k int) uint32
//race:none
func RotateLeft64(x uint64, k int) uint64
//native Reverse64
//race:none
func Reverse(x uint) uint
//race:none
func Reverse8(x uint8) uint8
//race:none
func Reverse16(x uint16) uint16
//race:none
func Reverse32(x uint32) uint32
//race:none
func Reverse64(x uint64) uint64
//native ReverseBytes64
//race:none
func ReverseBytes(x uint) uint
//race:none
func ReverseBytes16(x uint16) uint16
//race:none
func ReverseBytes32(x uint32) uint32
//race:none
func ReverseBytes64(x uint64) uint64
//native Len64
//race:none
func Len(x uint) int
//native Len64
//race:none
func Len8(x uint8) int
//native Len64
//race:none
func Len16(x uint16) (n int)
//native Len64
//race:none
func Len32(x uint32) (n int)
//race:none
func Len64(x uint64) int

//native Add64
//race:none
func Add(x, y, carry uint) (sum, carryOut uint)
//race:none
func Add64(x, y, carry uint64) (sum, carryOut uint64)

//native Sub64
//race:none
func Sub(x, y, borrow uint) (diff, borrowOut uint)
//race:none
func Sub64(x, y, borrow uint64) (diff, borrowOut uint64)

//native Mul64
//race:none
func Mul(x, y uint) (hi, lo uint)
//race:none
func Mul64(x, y uint64) (hi, lo uint64)

// div64 needs hi < y.
//race:none
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
