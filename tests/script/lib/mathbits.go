// run
// SPDX-License-Identifier: MIT

// Functions of math and math/cmplx to the last bit: on special values in full,
// on random ones folded into a number for each function and size.
package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/cmplx"
)

var seed uint64 = 88172645463325252

func random() uint64 {
	seed ^= seed << 13
	seed ^= seed >> 7
	seed ^= seed << 17
	return seed
}

// draw returns a number of about the size 2**exp, of either sign.
func draw(exp, spread int) float64 {
	m := math.Float64frombits(random()&(1<<52-1) | 1023<<52)
	if random()&1 == 1 {
		m = -m
	}
	return math.Ldexp(m, exp+int(random()%uint64(spread)))
}

// bits shows what distinguishes floats; NaNs are one.
func bits(x float64) uint64 {
	if x != x {
		return 0x7ff8 << 48
	}
	return math.Float64bits(x)
}

var real1 = []struct {
	name string
	f    func(float64) float64
}{
	{"J0", math.J0}, {"J1", math.J1}, {"Y0", math.Y0}, {"Y1", math.Y1},
	{"J2", func(x float64) float64 { return math.Jn(2, x) }},
	{"J-3", func(x float64) float64 { return math.Jn(-3, x) }},
	{"J7", func(x float64) float64 { return math.Jn(7, x) }},
	{"J40", func(x float64) float64 { return math.Jn(40, x) }},
	{"J300", func(x float64) float64 { return math.Jn(300, x) }},
	{"Y2", func(x float64) float64 { return math.Yn(2, x) }},
	{"Y-3", func(x float64) float64 { return math.Yn(-3, x) }},
	{"Y9", func(x float64) float64 { return math.Yn(9, x) }},
	{"Y100", func(x float64) float64 { return math.Yn(100, x) }},
	{"Gamma", math.Gamma}, {"Erf", math.Erf}, {"Erfc", math.Erfc}, {"Erfinv", math.Erfinv}, {"Erfcinv", math.Erfcinv},
	{"Lgamma", func(x float64) float64 { l, s := math.Lgamma(x); return l + float64(s) }},
	{"Sin", math.Sin}, {"Cos", math.Cos}, {"Tan", math.Tan}, {"Asin", math.Asin}, {"Acos", math.Acos}, {"Atan", math.Atan},
	{"Sinh", math.Sinh}, {"Cosh", math.Cosh}, {"Tanh", math.Tanh}, {"Asinh", math.Asinh}, {"Acosh", math.Acosh}, {"Atanh", math.Atanh},
	{"Exp", math.Exp}, {"Exp2", math.Exp2}, {"Expm1", math.Expm1}, {"Log", math.Log}, {"Log2", math.Log2}, {"Log10", math.Log10}, {"Log1p", math.Log1p},
	{"Sqrt", math.Sqrt}, {"Cbrt", math.Cbrt}, {"Round", math.Round}, {"RoundToEven", math.RoundToEven}, {"Logb", math.Logb},
	{"Pow", func(x float64) float64 { return math.Pow(math.Abs(x), 1.25) }},
	{"Mod", func(x float64) float64 { return math.Mod(x, 0.7) }},
	{"Remainder", func(x float64) float64 { return math.Remainder(x, 0.7) }},
	{"Hypot", func(x float64) float64 { return math.Hypot(x, 3) }},
	{"Atan2", func(x float64) float64 { return math.Atan2(x, -2) }},
}

var complex1 = []struct {
	name string
	f    func(complex128) complex128
}{
	{"Acos", cmplx.Acos}, {"Acosh", cmplx.Acosh}, {"Asin", cmplx.Asin}, {"Asinh", cmplx.Asinh}, {"Atan", cmplx.Atan}, {"Atanh", cmplx.Atanh},
	{"Cos", cmplx.Cos}, {"Cosh", cmplx.Cosh}, {"Cot", cmplx.Cot}, {"Exp", cmplx.Exp}, {"Log", cmplx.Log}, {"Log10", cmplx.Log10},
	{"Sin", cmplx.Sin}, {"Sinh", cmplx.Sinh}, {"Sqrt", cmplx.Sqrt}, {"Tan", cmplx.Tan}, {"Tanh", cmplx.Tanh}, {"Conj", cmplx.Conj},
	{"Polar", func(x complex128) complex128 { r, a := cmplx.Polar(x); return complex(r, a) }},
	{"Rect", func(x complex128) complex128 { return cmplx.Rect(real(x), imag(x)) }},
	{"Pow", func(x complex128) complex128 { return cmplx.Pow(x, 1.5-2i) }},
	{"PowOf", func(x complex128) complex128 { return cmplx.Pow(0.25+1i, x) }},
	{"Pow0", func(x complex128) complex128 {
		if cmplx.IsInf(x) {
			return x
		}
		return cmplx.Pow(0, x)
	}},
}

func main() {
	inf, nan := math.Inf(1), math.NaN()
	special := []float64{0, math.Copysign(0, -1), inf, -inf, nan, 1, -1, 0.5, -2, 1e-320, 5e-324, 1e-16, -1e-16, 1e-300,
		2, 2.8571, 4.5454, 8, 2877.057960019328, 1e19, 1e39, 1e92, 1e200, 1e308, math.MaxFloat64, math.Pi / 2, math.Pi, 1 << 30, 1<<31 + 0.5}
	for _, f := range real1 {
		h := fnv.New64()
		for _, x := range special {
			fmt.Fprintf(h, "%x ", bits(f.f(x)))
		}
		fmt.Printf("%s special %x:", f.name, h.Sum64())
		for _, size := range [][2]int{{-1022, 1000}, {-30, 28}, {-3, 4}, {0, 2}, {2, 8}, {20, 40}, {-1000, 2000}} {
			h := fnv.New64()
			for i := 0; i < 300; i++ {
				fmt.Fprintf(h, "%x ", bits(f.f(draw(size[0], size[1]))))
			}
			fmt.Printf(" %x", h.Sum64())
		}
		fmt.Println()
	}
	for _, f := range complex1 {
		h := fnv.New64()
		for _, re := range special {
			for _, im := range special {
				y := f.f(complex(re, im))
				fmt.Fprintf(h, "%x %x ", bits(real(y)), bits(imag(y)))
			}
		}
		fmt.Printf("%s special %x:", f.name, h.Sum64())
		for _, size := range [][4]int{{-3, 4, -3, 4}, {-30, 28, -30, 28}, {0, 3, -60, 60}, {-60, 60, 0, 3}, {3, 8, -2, 8}, {20, 40, -2, 3}, {-1000, 2000, -1000, 2000}} {
			h := fnv.New64()
			for i := 0; i < 200; i++ {
				y := f.f(complex(draw(size[0], size[1]), draw(size[2], size[3])))
				fmt.Fprintf(h, "%x %x ", bits(real(y)), bits(imag(y)))
			}
			fmt.Printf(" %x", h.Sum64())
		}
		fmt.Println()
	}
}
