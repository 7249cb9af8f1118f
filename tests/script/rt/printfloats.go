// run

// println writes floats as package strconv does.
package main

import (
	"math"
	"strconv"
)

type small float32

func main() {
	var f float32 = 0.00024414062
	var g small = 1.2379401e+27
	println(f, g, float32(0.1), 0.1, float32(1)/3, complex64(complex(f, float32(g))), complex(0.1, 2))
	println(float32(1e10), float32(16777216), small(3.4028235e38), -f, math.Ldexp(1, -44), 5.684341886080802e-14)
	zero := 0.0
	println(-zero, 1/zero, -1/zero, zero/zero, math.Copysign(0, -1), float32(math.SmallestNonzeroFloat32), math.MaxFloat64)
	for e := -1074; e < 1024; e += 37 {
		x := math.Ldexp(1, e)
		println(x, "=", strconv.FormatFloat(x, 'g', -1, 64))
	}
	for e := -149; e < 128; e += 9 {
		x := float32(math.Ldexp(1, e))
		println(x, "=", strconv.FormatFloat(float64(x), 'g', -1, 32))
	}
}
