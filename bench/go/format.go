// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

type point struct {
	X, Y int
	Name string
}

// Formats and scans numbers, strings and structures.
func main() {
	h := fnv.New64a()
	total := 0
	for i := range 150000 {
		s := fmt.Sprintf("%d %5.2f %q %v %x", i, float64(i)/7, "na\tme", i%3 == 0, i)
		h.Write([]byte(s))
		if i%4 == 0 {
			fmt.Fprintf(h, "%+v %T\n", point{i, -i, s[:4]}, h)
		}
		for _, f := range strings.Fields(s)[:2] {
			if n, err := strconv.ParseFloat(f, 64); err == nil {
				total += int(n)
			}
		}
	}
	fmt.Println(total, h.Sum64())
}
