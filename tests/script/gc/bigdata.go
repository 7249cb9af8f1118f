// run
// SPDX-License-Identifier: MIT

// Package variables without pointers, however large, are not what the heap is
// measured by; those around them are marked.

package main

import (
	"fmt"
	"runtime"
)

type node struct {
	next *node
	v    int
}

var before *node
var big [40 << 20]byte
var after *node
var mixed [3]struct {
	pad [100000]uint64
	at  *node
}

func fill(n int) *node {
	var l *node
	for i := 0; i < n; i++ {
		l = &node{l, i}
	}
	return l
}

func sum(l *node) (s int) {
	for ; l != nil; l = l.next {
		s += l.v
	}
	return s
}

func main() {
	var m runtime.MemStats
	before, after = fill(100), fill(200)
	for i := range mixed {
		mixed[i].at = fill(300 + i)
	}
	for i := 0; i < 3; i++ {
		runtime.GC()
		fill(1000)
	}
	runtime.ReadMemStats(&m)
	fmt.Println(m.NextGC <= 6<<20, sum(before), sum(after))
	for i := range mixed {
		fmt.Println(sum(mixed[i].at))
	}
	big[0] = 1
}
