// SPDX-License-Identifier: MIT

package main

import "fmt"

func main() {
	const n, limit = 1000, 50
	inside, total := 0, 0
	for y := 0; y < n; y++ {
		ci := 2*float64(y)/n - 1
		for x := 0; x < n; x++ {
			cr := 2*float64(x)/n - 1.5
			zr, zi, tr, ti := 0.0, 0.0, 0.0, 0.0
			i := 0
			for i < limit && tr+ti <= 4 {
				zi = 2*zr*zi + ci
				zr = tr - ti + cr
				tr = zr * zr
				ti = zi * zi
				i++
			}
			total += i
			if i == limit {
				inside++
			}
		}
	}
	fmt.Println(inside, total)
}
