// run
// SPDX-License-Identifier: MIT

// Constants that are beyond what is kept exactly are rounded as Go's compiler
// rounds them, and integers again where they stand for one.
package main

import "fmt"

const (
	c1 = 1e400
	c2 = c1 * c1
	c3 = c2 * c2 * c2 * c2
	c4 = c3 * c3
	c5 = c4 * c4
	d  = 1e-3000
	s1 = 3e1000 * c3
	s2 = s1 * s1
)

func main() {
	var i int = c5 / c5
	var j int = c3 / c2 / c2 / c2 / c2 * 7
	fmt.Println(i, j, c5/c4/c4, c4/c3 == c3, d*1e3000)
	fmt.Println(c5 > c4, -c5 < c4)
	var z float64 = c5 * d / c4 / c3 / c2
	var a [c4 / c3 / c2 / c2 / c2 / c2 * 5]int
	fmt.Println(z, len(a), c4/c3/c3<<3, 1<<(s2/s1/s1*9), a[c4/c4])
	var n int8 = -c5 / c4 / c3 / c3
	var u uint64 = 1e4000 / 1e3981
	fmt.Println(n, u, int64(s2/c3/c3/1e2000)/2, s2/s1/s1/3)
}
