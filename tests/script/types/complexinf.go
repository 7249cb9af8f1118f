// run
// SPDX-License-Identifier: MIT

// Quotients of complex numbers with infinities, NaNs and zeros among their
// parts: what is infinite or zero after all is not NaN.
package main

import (
	"fmt"
	"math"
)

//go:noinline
func quo(a, b complex128) complex128 { return a / b }

func main() {
	inf := math.Inf(1)
	parts := []float64{0, 1, -2, inf, -inf, math.NaN()}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				for _, d := range parts {
					fmt.Println(a, b, c, d, quo(complex(a, b), complex(c, d)))
				}
			}
		}
	}
}
