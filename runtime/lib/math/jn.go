// SPDX-License-Identifier: MIT

package math

// The Bessel functions of other orders than 0 and 1, after FreeBSD's msun
// (Sun Microsystems, 1993), in Go's order of operations. They are no natives,
// for they take as many steps as the order says.

const (
	oneBySqrtPi = 1 / SqrtPi
	hugeArg     = 1 << 302 // from here on the functions are waves
)

// Jn returns the Bessel function of the first kind of order n.
func Jn(n int, x float64) float64 {
	switch {
	case x != x:
		return x
	case IsInf(x, 0):
		return 0
	case n == 0:
		return J0(x)
	case x == 0:
		return 0
	}
	if n < 0 {
		n, x = -n, -x
	}
	if n == 1 {
		return J1(x)
	}
	negative := x < 0 && n&1 == 1
	x = Abs(x)
	var y float64
	switch {
	case float64(n) <= x && x >= hugeArg:
		s, c := Sincos(x)
		y = oneBySqrtPi * [4]float64{c + s, -c + s, -c - s, c - s}[n&3] / Sqrt(x)
	case float64(n) <= x:
		// Recurrence upwards is stable here.
		y = J1(x)
		for i, last := 1, J0(x); i < n; i++ {
			last, y = y, y*(float64(i+i)/x)-last
		}
	case x < 0x1p-29:
		y = firstTerm(n, x)
	default:
		y = downwards(n, x)
	}
	if negative {
		return -y
	}
	return y
}

// firstTerm is that of the Taylor series: (x/2)**n / n!.
func firstTerm(n int, x float64) float64 {
	if n > 33 {
		return 0
	}
	half := x * 0.5
	power, factorial := half, 1.0
	for i := 2; i <= n; i++ {
		factorial *= float64(i)
		power *= half
	}
	return power / factorial
}

// ratio is Jn(n, x) / Jn(n-1, x), from a continued fraction that is cut where
// its terms are below 1e-9.
func ratio(n int, x float64) float64 {
	w, h := float64(n+n)/x, 2/x
	z := w + h
	terms := 1
	for before, now := w, w*z-1; now < 1e9; terms++ {
		z += h
		before, now = now, z*now-before
	}
	t := 0.0
	for i := 2 * (n + terms); i >= n+n; i -= 2 {
		t = 1 / (float64(i)/x - t)
	}
	return t
}

// downwards goes from order n to 0, where it compares with J0.
func downwards(n int, x float64) float64 {
	t := ratio(n, x)
	above, here := t, 1.0
	// About the logarithm of n! (2/x)**n: may the recurrence overflow?
	size := float64(n)
	size = size * Log(Abs(2/x*size))
	small := size < 7.09782712893383973096e+02
	for i := n - 1; i > 0; i-- {
		above, here = here, here*float64(i+i)/x-above
		if !small && here > 1e100 {
			above /= here
			t /= here
			here = 1
		}
	}
	return t * J0(x) / here
}

// Yn returns the Bessel function of the second kind of order n.
func Yn(n int, x float64) float64 {
	switch {
	case x < 0 || x != x:
		return NaN()
	case IsInf(x, 1):
		return 0
	case n == 0:
		return Y0(x)
	}
	negative := n < 0 && n&1 == 1
	if x == 0 {
		if negative {
			return Inf(1)
		}
		return Inf(-1)
	}
	if n < 0 {
		n = -n
	}
	var y float64
	switch {
	case n == 1:
		y = Y1(x)
	case x >= hugeArg:
		s, c := Sincos(x)
		y = oneBySqrtPi * [4]float64{s - c, -s - c, -s + c, s + c}[n&3] / Sqrt(x)
	default:
		y = Y1(x)
		for i, last := 1, Y0(x); i < n && !IsInf(y, -1); i++ {
			last, y = y, (float64(i+i)/x)*y-last
		}
	}
	if negative {
		return -y
	}
	return y
}
