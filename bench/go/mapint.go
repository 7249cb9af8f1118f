package main

import "fmt"

// A map from int to int that grows, is read twice as often as it is written,
// and loses half of its keys.
func main() {
	m := map[int]int{}
	x, sum := uint32(1), 0
	for i := 0; i < 1000000; i++ {
		x = x*1664525 + 1013904223
		m[int(x>>12)] += i
		sum += m[int(x>>13)] + m[i]
	}
	n := len(m)
	for i := 0; i < 1<<20; i += 2 {
		delete(m, i)
	}
	fmt.Println(n, len(m), sum)
}
