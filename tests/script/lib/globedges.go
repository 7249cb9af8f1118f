// run
// SPDX-License-Identifier: MIT

// Patterns of path and filepath, which see errors in different parts.
package main

import (
	"fmt"
	"path"
	"path/filepath"
)

func main() {
	alpha := "a*[]^-\\?b/"
	var pats []string
	cur := []string{""}
	for l := 0; l < 4; l++ {
		var next []string
		for _, p := range cur {
			for _, c := range alpha {
				next = append(next, p+string(c))
			}
		}
		pats = append(pats, next...)
		cur = next
	}
	st := uint32(1)
	for i := 0; i < 30000; i++ {
		p := ""
		for j := 0; j < 9; j++ {
			st = st*1664525 + 1013904223
			p += string(alpha[(st>>16)%uint32(len(alpha))])
		}
		pats = append(pats, p)
	}
	h := uint64(1)
	for i, p := range pats {
		for _, n := range []string{"", "a", "ab", "ba", "a/b", "abab", "b-", "\\", "^", "é", "aab*"} {
			m1, e1 := path.Match(p, n)
			m2, e2 := filepath.Match(p, n)
			h = h*31 + 7
			if m1 {
				h ^= 1
			}
			if m2 {
				h ^= 2
			}
			if e1 != nil {
				h ^= 4
			}
			if e2 != nil {
				h ^= 8
			}
		}
		if i%97 == 0 {
			fmt.Println(i, p, h)
		}
	}
	_, e1 := path.Match("[", "a")
	_, e2 := filepath.Match("[", "a")
	fmt.Println(e1 == path.ErrBadPattern, e2 == filepath.ErrBadPattern, path.ErrBadPattern == filepath.ErrBadPattern)
}
