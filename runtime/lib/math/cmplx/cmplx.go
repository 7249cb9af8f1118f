// SPDX-License-Identifier: MIT

// Package cmplx has functions of complex numbers, after the Cephes library
// (S. L. Moshier), with the special cases of C99's Annex G. Operations are in
// Go's order, so that results are the same to the last bit.
package cmplx

import "math"

func inf(x float64) bool { return math.IsInf(x, 0) }

func nan(x float64) bool { return x != x }

// wild reports whether x is infinite or no number.
func wild(x float64) bool { return x-x != 0 }

// times returns x * i and over x / i.
func times(x complex128) complex128 { return complex(-imag(x), real(x)) }

func over(x complex128) complex128 { return complex(imag(x), -real(x)) }

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

// Exp returns e**x.
func Exp(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case math.IsInf(re, 1) && im == 0:
		return x
	case math.IsInf(re, 1) && wild(im):
		return complex(re, math.NaN())
	case math.IsInf(re, -1) && wild(im):
		return complex(0, math.Copysign(0, im))
	case nan(re) && im == 0:
		return complex(math.NaN(), im)
	}
	return Rect(math.Exp(re), im)
}

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
		case real(y) < 0 && imag(y) == 0:
			return complex(math.Inf(1), 0)
		case real(y) < 0:
			return Inf()
		}
		panic("not reached") // by Go too, for NaN and an infinite part
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

// Sqrt returns the root with a real part that is not negative.
func Sqrt(x complex128) complex128 {
	a, b := real(x), imag(x)
	switch {
	case b == 0 && a == 0:
		return complex(0, b)
	case b == 0 && a < 0:
		return complex(0, math.Copysign(math.Sqrt(-a), b))
	case b == 0:
		return complex(math.Sqrt(a), b)
	case inf(b):
		return complex(math.Inf(1), b)
	case a == 0 && b < 0:
		r := math.Sqrt(-0.5 * b)
		return complex(r, -r)
	case a == 0:
		r := math.Sqrt(0.5 * b)
		return complex(r, r)
	}
	// The parts are scaled by a square, so that they neither overflow nor
	// lose digits.
	scale := 0x1p-27
	if math.Abs(a) > 4 || math.Abs(b) > 4 {
		a *= 0.25
		b *= 0.25
		scale = 2
	} else {
		a *= 0x1p54
		b *= 0x1p54
	}
	re, im := 0.0, math.Hypot(a, b)
	if a > 0 {
		re = math.Sqrt(0.5*im + 0.5*a)
		im = scale * math.Abs((0.5*b)/re)
		re *= scale
	} else {
		im = math.Sqrt(0.5*im - 0.5*a)
		re = scale * math.Abs((0.5*b)/im)
		im *= scale
	}
	if b < 0 {
		return complex(re, -im)
	}
	return complex(re, im)
}

// Inf returns an infinity.
func Inf() complex128 { return complex(math.Inf(1), math.Inf(1)) }

// IsInf reports whether a part of x is infinite.
func IsInf(x complex128) bool { return inf(real(x)) || inf(imag(x)) }

// NaN returns a complex not-a-number.
func NaN() complex128 { return complex(math.NaN(), math.NaN()) }

// IsNaN reports whether a part of x is not a number and none is infinite.
func IsNaN(x complex128) bool {
	return !IsInf(x) && (nan(real(x)) || nan(imag(x)))
}
