// SPDX-License-Identifier: MIT

package main

import "fmt"

func matrix(n int, seed float64) [][]float64 {
	m := make([][]float64, n)
	t := seed / float64(n) / float64(n)
	for i := range m {
		m[i] = make([]float64, n)
		for j := range m[i] {
			m[i][j] = t * float64(i-j) * float64(i+j)
		}
	}
	return m
}

func mul(a, b [][]float64) [][]float64 {
	n := len(a)
	c := make([][]float64, n)
	for i := 0; i < n; i++ {
		row := make([]float64, n)
		ai := a[i]
		for j := 0; j < n; j++ {
			s := 0.0
			for k := 0; k < n; k++ {
				s += ai[k] * b[k][j]
			}
			row[j] = s
		}
		c[i] = row
	}
	return c
}

func main() {
	const n = 340
	c := mul(matrix(n, 1), matrix(n, 2))
	fmt.Printf("%.6f\n", c[n/2][n/2])
}
