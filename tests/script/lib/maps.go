// run
// SPDX-License-Identifier: MIT

// Package maps.
package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

type table map[string]int

func main() {
	m := table{"a": 1, "b": 2, "c": 3}
	c := maps.Clone(m)
	fmt.Println(maps.Equal(m, c), maps.Equal(m, map[string]int{"a": 1}), maps.Clone(table(nil)) == nil, c)
	c["d"] = 4
	fmt.Println(len(m), len(c), maps.Equal(m, c))
	fmt.Println(maps.EqualFunc(m, map[string]string{"a": "x", "b": "xx", "c": "xxx"}, func(i int, s string) bool { return i == len(s) }))
	maps.Copy(m, map[string]int{"a": 10, "z": 26})
	fmt.Println(m)
	maps.DeleteFunc(m, func(k string, v int) bool { return v > 5 })
	fmt.Println(m)
	fmt.Println(slices.Sorted(maps.Keys(c)), slices.Sorted(maps.Values(c)))
	n := 0
	for k, v := range maps.All(c) {
		if n += v + len(k); n > 100 {
			break
		}
	}
	fmt.Println(n)
	for range maps.Keys(c) {
		n++
		break
	}
	fmt.Println(n)
	maps.Insert(m, maps.All(map[string]int{"new": 7}))
	fmt.Println(m, maps.Collect(slices.All(strings.Fields("x y z"))))
}
