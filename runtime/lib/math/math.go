// SPDX-License-Identifier: MIT

// Package math has constants and functions of mathematics. The functions
// are natives (native.c, trig.c, special.c, bessel.c) but for jn.go.
package math

const (
	E   = 2.71828182845904523536028747135266249775724709369995957496696763
	Pi  = 3.14159265358979323846264338327950288419716939937510582097494459
	Phi = 1.61803398874989484820458683436563811772030917980576286213544862

	Sqrt2   = 1.41421356237309504880168872420969807856967187537694807317667974
	SqrtE   = 1.64872127070012814684865078781416357165377610071014801157507931
	SqrtPi  = 1.77245385090551602729816748334114518279754945612238712821380779
	SqrtPhi = 1.27201964951406896425242246173749149171560804184009624861664038

	Ln2    = 0.693147180559945309417232121458176568075500134360255254120680009
	Log2E  = 1 / Ln2
	Ln10   = 2.30258509299404568401799145468436420760110148862877297603332790
	Log10E = 1 / Ln10
)

const (
	MaxFloat32             = 0x1p127 * (1 + (1 - 0x1p-23))
	SmallestNonzeroFloat32 = 0x1p-126 * 0x1p-23
	MaxFloat64             = 0x1p1023 * (1 + (1 - 0x1p-52))
	SmallestNonzeroFloat64 = 0x1p-1022 * 0x1p-52
)

const (
	MaxInt    = 1<<63 - 1
	MinInt    = -1 << 63
	MaxInt8   = 1<<7 - 1
	MinInt8   = -1 << 7
	MaxInt16  = 1<<15 - 1
	MinInt16  = -1 << 15
	MaxInt32  = 1<<31 - 1
	MinInt32  = -1 << 31
	MaxInt64  = 1<<63 - 1
	MinInt64  = -1 << 63
	MaxUint   = 1<<64 - 1
	MaxUint8  = 1<<8 - 1
	MaxUint16 = 1<<16 - 1
	MaxUint32 = 1<<32 - 1
	MaxUint64 = 1<<64 - 1
)

//race:none
func Abs(x float64) float64

//race:none
func Acos(x float64) float64

//race:none
func Acosh(x float64) float64

//race:none
func Asin(x float64) float64

//race:none
func Asinh(x float64) float64

//race:none
func Atan(x float64) float64

//race:none
func Atan2(y, x float64) float64

//race:none
func Atanh(x float64) float64

//race:none
func Cbrt(x float64) float64

//race:none
func Ceil(x float64) float64

//race:none
func Copysign(f, sign float64) float64

//race:none
func Cos(x float64) float64

//race:none
func Cosh(x float64) float64

//race:none
func Erf(x float64) float64

//race:none
func Erfc(x float64) float64

//race:none
func Erfinv(x float64) float64

//race:none
func Exp(x float64) float64

//race:none
func Exp2(x float64) float64

//race:none
func Expm1(x float64) float64

//race:none
func FMA(x, y, z float64) float64

//race:none
func Float32bits(f float32) uint32

//race:none
func Float32frombits(b uint32) float32

//race:none
func Float64bits(f float64) uint64

//race:none
func Float64frombits(b uint64) float64

//race:none
func Floor(x float64) float64

//race:none
func Frexp(f float64) (frac float64, exp int)

//race:none
func Gamma(x float64) float64

//race:none
func Hypot(p, q float64) float64

//race:none
func J0(x float64) float64

//race:none
func J1(x float64) float64

//race:none
func Ldexp(frac float64, exp int) float64

//race:none
func Lgamma(x float64) (lgamma float64, sign int)

//race:none
func Log(x float64) float64

//race:none
func Log10(x float64) float64

//race:none
func Log1p(x float64) float64

//race:none
func Log2(x float64) float64

//race:none
func Max(x, y float64) float64

//race:none
func Min(x, y float64) float64

//race:none
func Mod(x, y float64) float64

//race:none
func Modf(f float64) (integer float64, fractional float64)

//race:none
func Nextafter(x, y float64) (r float64)

//race:none
func Nextafter32(x, y float32) (r float32)

//race:none
func Pow(x, y float64) float64

//race:none
func Remainder(x, y float64) float64

//race:none
func Round(x float64) float64

//race:none
func RoundToEven(x float64) float64

//race:none
func Signbit(x float64) bool

//race:none
func Sin(x float64) float64

//race:none
func Sincos(x float64) (sin, cos float64)

//race:none
func Sinh(x float64) float64

//race:none
func Sqrt(x float64) float64

//race:none
func Tan(x float64) float64

//race:none
func Tanh(x float64) float64

//race:none
func Trunc(x float64) float64

//race:none
func Y0(x float64) float64

//race:none
func Y1(x float64) float64

// pow10 is 10**n for a power that is a float64.
//
//race:none
func pow10(n int) float64

// Inf returns positive infinity for sign >= 0, negative infinity otherwise.
func Inf(sign int) float64 {
	if sign >= 0 {
		return Float64frombits(0x7FF0000000000000)
	}
	return Float64frombits(0xFFF0000000000000)
}

// IsInf reports whether f is infinite: positive for sign > 0, negative for
// sign < 0, either for 0.
func IsInf(f float64, sign int) bool {
	return sign >= 0 && f > MaxFloat64 || sign <= 0 && f < -MaxFloat64
}

// NaN returns a not-a-number.
func NaN() float64 { return Float64frombits(0x7FF8000000000001) }

// IsNaN reports whether f is not a number.
func IsNaN(f float64) (is bool) { return f != f }

// Dim returns x - y, or 0 if that is negative.
func Dim(x, y float64) float64 {
	v := x - y
	if v <= 0 {
		return 0 // not for NaN: Inf - Inf, or an operand
	}
	return v
}

// Erfcinv returns the inverse of Erfc.
func Erfcinv(x float64) float64 { return Erfinv(1 - x) }

// Ilogb returns the binary exponent of x.
func Ilogb(x float64) int {
	switch {
	case x == 0:
		return MinInt32
	case x != x, IsInf(x, 0):
		return MaxInt32
	}
	_, e := Frexp(x)
	return e - 1
}

// Logb returns the binary exponent of x.
func Logb(x float64) float64 {
	switch {
	case x == 0:
		return Inf(-1)
	case x != x:
		return x
	case IsInf(x, 0):
		return Inf(1)
	}
	return float64(Ilogb(x))
}

// Pow10 returns 10**n.
func Pow10(n int) float64 {
	switch {
	case n < -323:
		return 0
	case n > 308:
		return Inf(1)
	}
	return pow10(n)
}
