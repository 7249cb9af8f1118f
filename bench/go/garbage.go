// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"time"
)

type small struct {
	a, b int
	next *small
}

var sink *small

func main() {
	const n = 20000000
	start := time.Now()
	var keep [64]*small
	for i := 0; i < n; i++ {
		s := &small{a: i, b: i + 1}
		keep[i&63] = s
		sink = s
	}
	d := time.Since(start)
	fmt.Println(sink.b, keep[5].a)
	println("ns/op", d.Nanoseconds()/n)
}
