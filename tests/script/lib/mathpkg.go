// run
// SPDX-License-Identifier: MIT

// Packages math and math/bits.
package main

import (
	"fmt"
	"math"
	"math/bits"
)

func main() {
	xs := []float64{0, 1, -1, 0.5, -2.5, 3.7, 1e10, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, x := range xs {
		fmt.Println(x, math.Abs(x), math.Ceil(x), math.Floor(x), math.Trunc(x), math.Round(x), math.RoundToEven(x), math.Sqrt(x), math.Signbit(x), math.IsNaN(x), math.IsInf(x, 0), math.Cbrt(8*x))
	}
	for _, x := range []float64{0.1, 0.5, 1, 2, 10} {
		fmt.Printf("%.10f %.10f %.10f %.10f %.10f %.10f %.10f\n", math.Sin(x), math.Cos(x), math.Tan(x), math.Exp(x), math.Log(x), math.Log10(x), math.Log2(x))
		fmt.Printf("%.10f %.10f %.10f %.10f %.10f %.10f\n", math.Atan(x), math.Sinh(x), math.Tanh(x), math.Exp2(x), math.Expm1(x), math.Log1p(x))
	}
	fmt.Printf("%.8f %.8f %.8f %.8f\n", math.Asin(0.5), math.Acos(0.5), math.Atan2(-1, -1), math.Hypot(3, 4))
	fmt.Println(math.Pow(2, 10), math.Pow(2, -1), math.Pow(-8, 1.0/3), math.Pow(0, 0), math.Pow(2, 0.5) == math.Sqrt2, math.Pow10(5))
	fmt.Println(math.Mod(7, 3), math.Mod(-7, 3), math.Mod(5.5, 2), math.Remainder(7, 4), math.Max(1, 2), math.Min(1, math.Inf(-1)), math.Max(1, math.NaN()), math.Dim(5, 3), math.Dim(3, 5))
	fr, ex := math.Frexp(10)
	ip, fp := math.Modf(-3.25)
	fmt.Println(fr, ex, math.Ldexp(0.5, 4), ip, fp, math.Copysign(3, -1), math.Nextafter(1, 2), math.Logb(8), math.Ilogb(9), math.FMA(2, 3, 4))
	fmt.Println(math.Float64bits(1.5), math.Float64frombits(0x4009_21FB_5444_2D18), math.Float32bits(-0.5), math.Float32frombits(1))
	fmt.Println(math.MaxInt64, math.MinInt64, uint64(math.MaxUint64), math.MaxInt8, math.MaxUint16, math.MaxFloat32, math.Pi, math.E, math.MaxInt)
	fmt.Printf("%.6f %.6f %.6f\n", math.Gamma(5.5), math.Erf(0.5), math.Gamma(5))

	for _, x := range []uint64{0, 1, 2, 255, 1 << 40, math.MaxUint64, 0xdeadbeef} {
		fmt.Println(bits.LeadingZeros64(x), bits.TrailingZeros64(x), bits.OnesCount64(x), bits.Len64(x), bits.Reverse64(x), bits.ReverseBytes64(x), bits.RotateLeft64(x, 13), bits.RotateLeft64(x, -5))
		y := uint32(x)
		fmt.Println(bits.LeadingZeros32(y), bits.TrailingZeros32(y), bits.OnesCount32(y), bits.Len32(y), bits.Reverse32(y), bits.RotateLeft32(y, 7), bits.Len8(uint8(x)), bits.OnesCount16(uint16(x)), bits.Reverse8(uint8(x)), bits.TrailingZeros8(uint8(x)), bits.LeadingZeros16(uint16(x)))
	}
	hi, lo := bits.Mul64(math.MaxUint64, math.MaxUint64)
	q, r := bits.Div64(1, 0, 3)
	s, c := bits.Add64(math.MaxUint64, 1, 1)
	d, b := bits.Sub64(0, 1, 0)
	fmt.Println(hi, lo, q, r, s, c, d, b, bits.UintSize, bits.Len(8))
	func() {
		defer func() { fmt.Println(recover()) }()
		bits.Div64(5, 0, 3)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		bits.Div64(5, 0, uint64(len(xs)-10))
	}()
	// Summation keeps its order and its rounding.
	sum := 0.0
	for i := 1; i <= 1000; i++ {
		sum += 1 / float64(i*i)
	}
	fmt.Println(sum, math.Sqrt(6*sum))
	var f32 float32
	for i := 0; i < 100; i++ {
		f32 += 0.1
	}
	fmt.Println(f32)
}
