// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"math"
)

func a(i, j int) float64 { return 1 / float64((i+j)*(i+j+1)/2+i+1) }

func mulAv(v, av []float64) {
	for i := range av {
		s := 0.0
		for j := range v {
			s += a(i, j) * v[j]
		}
		av[i] = s
	}
}

func mulAtv(v, atv []float64) {
	for i := range atv {
		s := 0.0
		for j := range v {
			s += a(j, i) * v[j]
		}
		atv[i] = s
	}
}

func main() {
	const n = 700
	u, v, t := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range u {
		u[i] = 1
	}
	for i := 0; i < 10; i++ {
		mulAv(u, t)
		mulAtv(t, v)
		mulAv(v, t)
		mulAtv(t, u)
	}
	var vbv, vv float64
	for i := 0; i < n; i++ {
		vbv += u[i] * v[i]
		vv += v[i] * v[i]
	}
	fmt.Printf("%.9f\n", math.Sqrt(vbv/vv))
}
