// SPDX-License-Identifier: MIT

package cmplx

import (
	"math"
	"math/bits"
)

// sinhcosh returns both hyperbolic functions from one exponential, where that
// loses no digits.
func sinhcosh(x float64) (sh, ch float64) {
	if math.Abs(x) <= 0.5 {
		return math.Sinh(x), math.Cosh(x)
	}
	e := math.Exp(x)
	half := 0.5 / e
	e *= 0.5
	return e - half, e + half
}

// Sin returns the sine.
func Sin(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case im == 0 && wild(re):
		return complex(math.NaN(), im)
	case re == 0 && wild(im):
		return x
	case inf(im) && wild(re):
		return complex(math.NaN(), im)
	}
	s, c := math.Sincos(re)
	sh, ch := sinhcosh(im)
	return complex(s*ch, c*sh)
}

// Sinh returns the hyperbolic sine.
func Sinh(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case re == 0 && wild(im):
		return complex(re, math.NaN())
	case inf(re) && im == 0:
		return x
	case inf(re) && wild(im):
		return complex(re, math.NaN())
	case im == 0 && nan(re):
		return complex(math.NaN(), im)
	}
	s, c := math.Sincos(im)
	sh, ch := sinhcosh(re)
	return complex(c*sh, s*ch)
}

// Cos returns the cosine.
func Cos(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case im == 0 && wild(re):
		return complex(math.NaN(), -im*math.Copysign(0, re))
	case re == 0 && inf(im):
		return complex(math.Inf(1), -re*math.Copysign(0, im))
	case inf(im) && wild(re):
		return complex(math.Inf(1), math.NaN())
	case re == 0 && nan(im):
		return complex(math.NaN(), 0)
	}
	s, c := math.Sincos(re)
	sh, ch := sinhcosh(im)
	return complex(c*ch, -s*sh)
}

// Cosh returns the hyperbolic cosine.
func Cosh(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case re == 0 && wild(im):
		return complex(math.NaN(), re*math.Copysign(0, im))
	case inf(re) && im == 0:
		return complex(math.Inf(1), im*math.Copysign(0, re))
	case inf(re) && wild(im):
		return complex(math.Inf(1), math.NaN())
	case im == 0 && nan(re):
		return complex(math.NaN(), im)
	}
	s, c := math.Sincos(im)
	sh, ch := sinhcosh(re)
	return complex(c*ch, s*sh)
}

// Tan returns the tangent.
func Tan(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case inf(im) && wild(re):
		return complex(math.Copysign(0, re), math.Copysign(1, im))
	case inf(im):
		return complex(math.Copysign(0, math.Sin(2*re)), math.Copysign(1, im))
	case re == 0 && nan(im):
		return x
	}
	d := math.Cos(2*re) + math.Cosh(2*im)
	if math.Abs(d) < 0.25 {
		d = sumSeries(x)
	}
	if d == 0 {
		return Inf()
	}
	return complex(math.Sin(2*re)/d, math.Sinh(2*im)/d)
}

// Tanh returns the hyperbolic tangent.
func Tanh(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case inf(re) && wild(im):
		return complex(math.Copysign(1, re), math.Copysign(0, im))
	case inf(re):
		return complex(math.Copysign(1, re), math.Copysign(0, math.Sin(2*im)))
	case im == 0 && nan(re):
		return x
	}
	d := math.Cosh(2*re) + math.Cos(2*im)
	if d == 0 {
		return Inf()
	}
	return complex(math.Sinh(2*re)/d, math.Sin(2*im)/d)
}

// Cot returns the cotangent.
func Cot(x complex128) complex128 {
	re, im := real(x), imag(x)
	d := math.Cosh(2*im) - math.Cos(2*re)
	if math.Abs(d) < 0.25 {
		d = sumSeries(x)
	}
	if d == 0 {
		return Inf()
	}
	return complex(math.Sin(2*re)/d, -math.Sinh(2*im)/d)
}

// sumSeries is cosh(2y) - cos(2x) of x + iy by the Taylor series in which what
// would cancel is left out: 2x is taken modulo Pi.
func sumSeries(z complex128) float64 {
	x := modPi(math.Abs(2 * real(z)))
	y := math.Abs(2 * imag(z))
	x, y = x*x, y*y
	xn, yn, factorial, n, sum := 1.0, 1.0, 1.0, 0.0, 0.0
	// next is the term of the next even power.
	next := func(sign float64) float64 {
		n++
		factorial *= n
		n++
		factorial *= n
		xn *= x
		yn *= y
		return (yn + sign*xn) / factorial
	}
	for {
		sum += next(1)
		t := next(-1)
		sum += t
		if !(math.Abs(t/sum) > 0x1p-53) {
			return sum
		}
	}
}

// modPi brings x into [-Pi/2, Pi/2] by a multiple of Pi: as three numbers that
// add up to Pi while x is small, and by the digits of 1/Pi beyond.
func modPi(x float64) float64 {
	if math.Abs(x) >= 1<<30 {
		return modPiFar(x)
	}
	const (
		high = 3.141592502593994
		mid  = 1.5099578831723193e-07
		low  = 1.0780605716316238e-14
	)
	n := float64(int64(x/math.Pi + 0.5))
	return ((x - n*high) - n*mid) - n*low
}

// modPiFar multiplies x with the digits of 1/Pi that matter, in 192 bits, and
// takes Pi times the fraction (Payne and Hanek, 1983).
func modPiFar(x float64) float64 {
	const fraction = 52
	u := math.Float64bits(x)
	exp := int(u>>fraction&0x7ff) - 1023 - fraction
	u = u&(1<<fraction-1) | 1<<fraction
	digit, shift := uint(exp+64)/64, uint(exp+64)%64
	var z [3]uint64
	for i := range z {
		z[i] = oneByPi(digit+uint(i))<<shift | oneByPi(digit+uint(i)+1)>>(64-shift)
	}
	carry, _ := bits.Mul64(z[2], u)
	mid, low := bits.Mul64(z[1], u)
	low, c := bits.Add64(low, carry, 0)
	high, _ := bits.Add64(z[0]*u, mid, c)
	// The fraction as a float between 0 and 1.
	lead := uint(bits.LeadingZeros64(high))
	high = (high<<(lead+1) | low>>(64-(lead+1))) >> (64 - fraction)
	x = math.Float64frombits(high | uint64(1023-(lead+1))<<fraction)
	if x > 0.5 {
		x--
	}
	return math.Pi * x
}

// oneByPi returns 64 binary digits of 1/Pi; number 0 is before the point.
func oneByPi(i uint) uint64 {
	return [...]uint64{
		0, 0x517cc1b727220a94, 0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820,
		0xff28b1d5ef5de2b0, 0xdb92371d2126e970, 0x0324977504e8c90e,
		0x7f0ef58e5894d39f, 0x74411afa975da242, 0x74ce38135a2fbf20,
		0x9cc8eb1cc1a99cfa, 0x4e422fc5defc941d, 0x8ffc4bffef02cc07,
		0xf79788c5ad05368f, 0xb69b3f6793e584db, 0xa7a31fb34f2ff516,
		0xba93dd63f5f2f8bd, 0x9e839cfbc5294975, 0x35fdafd88fc6ae84,
		0x2b0198237e3db5d5,
	}[i]
}
