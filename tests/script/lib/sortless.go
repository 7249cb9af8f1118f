// run
// SPDX-License-Identifier: MIT

package main

// What a comparison that sort.Slice calls sees and does, long after it has
// become a part of the sort's machine code.

import (
	"fmt"
	"runtime"
	"sort"
	"strings"
)

type pair struct{ key, at int }

func numbers(n int) []int {
	a := make([]int, n)
	x := uint32(7)
	for i := range a {
		x = x*1664525 + 1013904223
		a[i] = int(x >> 8)
	}
	return a
}

// mine has the functions of this file that are active.
func mine() []string {
	var pcs [64]uintptr
	var names []string
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "main.") {
			names = append(names, fmt.Sprint(f.Function, ":", f.Line))
		}
		if !more {
			return names
		}
	}
}

func sorted(a []int) bool {
	for i := 1; i < len(a); i++ {
		if a[i-1] > a[i] {
			return false
		}
	}
	return true
}

func panics() {
	a := numbers(20000)
	calls := 0
	defer func() {
		fmt.Println("recovered:", recover(), "after", calls)
	}()
	sort.Slice(a, func(i, j int) bool {
		calls++
		if calls == 200000 {
			return a[i+len(a)] < a[j]
		}
		return a[i] < a[j]
	})
}

func callers() {
	a := numbers(20000)
	calls := 0
	sort.Slice(a, func(i, j int) bool {
		calls++
		if calls == 200000 {
			fmt.Println(mine())
		}
		return a[i] < a[j]
	})
	fmt.Println(sorted(a), calls)
}

func nested() {
	a := numbers(400)
	sums := 0
	sort.Slice(a, func(i, j int) bool {
		b := []int{a[i], a[j], 5, 3}
		sort.Slice(b, func(k, l int) bool { return b[k] < b[l] })
		sums += b[0]
		return a[i] < a[j]
	})
	fmt.Println(sorted(a), sums)
}

func main() {
	a := numbers(50000)
	sort.Slice(a, func(i, j int) bool { return a[i] < a[j] })
	fmt.Println(sorted(a), a[0], a[len(a)-1])

	// Another function, at the same calls.
	down := numbers(50000)
	sort.Slice(down, func(i, j int) bool { return down[i] > down[j] })
	fmt.Println(down[0] == a[len(a)-1], down[len(a)-1] == a[0])

	p := make([]pair, 30000)
	for i, x := range numbers(len(p)) {
		p[i] = pair{x % 100, i}
	}
	sort.SliceStable(p, func(i, j int) bool { return p[i].key < p[j].key })
	fmt.Println(sort.SliceIsSorted(p, func(i, j int) bool {
		return p[i].key < p[j].key || p[i].key == p[j].key && p[i].at < p[j].at
	}))

	panics()
	callers()
	nested()
}
