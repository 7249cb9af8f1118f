package main

import (
	"fmt"
	"sort"
)

// sort.Slice, whose comparison is a closure.
func main() {
	a := make([]int, 500000)
	x := uint32(3)
	for i := range a {
		x = x*1664525 + 1013904223
		a[i] = int(x >> 4)
	}
	sort.Slice(a, func(i, j int) bool { return a[i] < a[j] })
	for i := 1; i < len(a); i++ {
		if a[i-1] > a[i] {
			panic("not sorted")
		}
	}
	fmt.Println(a[0], a[len(a)/2], a[len(a)-1])
}
