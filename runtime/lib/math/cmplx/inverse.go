// SPDX-License-Identifier: MIT

package cmplx

import "math"

// Asin returns the inverse sine.
func Asin(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case im == 0 && math.Abs(re) <= 1:
		return complex(math.Asin(re), im)
	case re == 0 && math.Abs(im) <= 1:
		return complex(re, math.Asinh(im))
	case nan(im) && re == 0:
		return complex(re, math.NaN())
	case nan(im) && inf(re):
		return complex(math.NaN(), re)
	case nan(im):
		return NaN()
	case inf(im) && nan(re):
		return x
	case inf(im) && inf(re):
		return complex(math.Copysign(math.Pi/4, re), im)
	case inf(im):
		return complex(math.Copysign(0, re), im)
	case inf(re):
		return complex(math.Copysign(math.Pi/2, re), math.Copysign(re, im))
	}
	// log(ix + sqrt(1 - x*x)) / i
	sq := x * x
	return over(Log(times(x) + Sqrt(complex(1-real(sq), -imag(sq)))))
}

// Asinh returns the inverse hyperbolic sine.
func Asinh(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case im == 0 && math.Abs(re) <= 1:
		return complex(math.Asinh(re), im)
	case re == 0 && math.Abs(im) <= 1:
		return complex(re, math.Asin(im))
	case inf(re) && inf(im):
		return complex(re, math.Copysign(math.Pi/4, im))
	case inf(re) && nan(im):
		return x
	case inf(re):
		return complex(re, math.Copysign(0, im))
	case nan(re) && im == 0:
		return x
	case nan(re) && inf(im):
		return complex(im, re)
	case nan(re):
		return NaN()
	case inf(im):
		return complex(math.Copysign(im, re), math.Copysign(math.Pi/2, im))
	}
	// log(x + sqrt(1 + x*x))
	sq := x * x
	return Log(x + Sqrt(complex(1+real(sq), imag(sq))))
}

// Acos returns the inverse cosine.
func Acos(x complex128) complex128 {
	w := Asin(x)
	return complex(math.Pi/2-real(w), -imag(w))
}

// Acosh returns the inverse hyperbolic cosine.
func Acosh(x complex128) complex128 {
	if x == 0 {
		return complex(0, math.Copysign(math.Pi/2, imag(x)))
	}
	w := Acos(x)
	if imag(w) <= 0 {
		return times(w)
	}
	return over(w)
}

// Atan returns the inverse tangent.
func Atan(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch {
	case im == 0:
		return complex(math.Atan(re), im)
	case re == 0 && math.Abs(im) <= 1:
		return complex(re, math.Atanh(im))
	case (inf(im) || inf(re)) && nan(re):
		return complex(math.NaN(), math.Copysign(0, im))
	case inf(im) || inf(re):
		return complex(math.Copysign(math.Pi/2, re), math.Copysign(0, im))
	case nan(re) || nan(im):
		return NaN()
	}
	sq := re * re
	a := 1 - sq - im*im
	if a == 0 {
		return NaN()
	}
	w := modPi(0.5 * math.Atan2(2*re, a))
	t := im - 1
	b := sq + t*t
	if b == 0 {
		return NaN()
	}
	t = im + 1
	return complex(w, 0.25*math.Log((sq+t*t)/b))
}

// Atanh returns the inverse hyperbolic tangent.
func Atanh(x complex128) complex128 { return over(Atan(times(x))) }
