// SPDX-License-Identifier: MIT

// Package cmplx has functions of complex numbers. Those without a body are
// the C library's (native.c), with the special cases of C99's Annex G.
package cmplx

import "math"

func Acos(x complex128) complex128
func Acosh(x complex128) complex128
func Asin(x complex128) complex128
func Asinh(x complex128) complex128
func Atan(x complex128) complex128
func Atanh(x complex128) complex128
func Cos(x complex128) complex128
func Cosh(x complex128) complex128
func Exp(x complex128) complex128
func Sin(x complex128) complex128
func Sinh(x complex128) complex128
func Sqrt(x complex128) complex128
func Tan(x complex128) complex128
func Tanh(x complex128) complex128

// Abs returns the distance of x from 0.
func Abs(x complex128) float64 { return math.Hypot(real(x), imag(x)) }

// Phase returns the angle of x in [-Pi, Pi].
func Phase(x complex128) float64 { return math.Atan2(imag(x), real(x)) }

// Polar returns the distance and angle of x.
func Polar(x complex128) (r, θ float64) { return Abs(x), Phase(x) }

// Rect returns the number with the given distance and angle.
func Rect(r, θ float64) complex128 {
	s, c := math.Sincos(θ)
	return complex(r*c, r*s)
}

// Conj returns the complex conjugate.
func Conj(x complex128) complex128 { return complex(real(x), -imag(x)) }

// Cot returns the cotangent.
func Cot(x complex128) complex128 { return 1 / Tan(x) }

// Log returns the natural logarithm.
func Log(x complex128) complex128 {
	return complex(math.Log(Abs(x)), Phase(x))
}

// Log10 returns the decimal logarithm.
func Log10(x complex128) complex128 {
	z := Log(x)
	return complex(math.Log10E*real(z), math.Log10E*imag(z))
}

// Pow returns x**y. Pow(0, y) is 1, 0 or infinite, as real(y) is 0, positive
// or negative.
func Pow(x, y complex128) complex128 {
	if x == 0 {
		switch {
		case IsNaN(y):
			return NaN()
		case real(y) == 0:
			return 1
		case real(y) > 0:
			return 0
		case imag(y) == 0:
			return complex(math.Inf(1), 0)
		}
		return Inf()
	}
	r, θ := Polar(x)
	if r == 0 {
		return 0
	}
	size := math.Pow(r, real(y))
	angle := real(y) * θ
	if imag(y) != 0 {
		size *= math.Exp(-imag(y) * θ)
		angle += imag(y) * math.Log(r)
	}
	return Rect(size, angle)
}

// Inf returns an infinity.
func Inf() complex128 { return complex(math.Inf(1), math.Inf(1)) }

// IsInf reports whether a part of x is infinite.
func IsInf(x complex128) bool {
	return math.IsInf(real(x), 0) || math.IsInf(imag(x), 0)
}

// NaN returns a complex not-a-number.
func NaN() complex128 { return complex(math.NaN(), math.NaN()) }

// IsNaN reports whether a part of x is not a number and none is infinite.
func IsNaN(x complex128) bool {
	return !IsInf(x) && (real(x) != real(x) || imag(x) != imag(x))
}
