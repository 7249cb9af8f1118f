// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"regexp"
)

// Finds and replaces patterns in a long text.
func main() {
	s := make([]byte, 1000000)
	x := uint32(42)
	for i := range s {
		x = x*1664525 + 1013904223
		s[i] = "acgt"[x>>30]
		if i%61 == 60 {
			s[i] = '\n'
		}
	}
	s = regexp.MustCompile("\n").ReplaceAll(s, nil)
	for _, p := range []string{
		"agggtaaa|tttaccct",
		"[cgt]gggtaaa|tttaccc[acg]",
		"a[act]ggtaaa|tttacc[agt]t",
		"agg[act]taaa|ttta[agt]cct",
		"agggtaa[cgt]|[acg]ttaccct",
	} {
		fmt.Println(p, len(regexp.MustCompile(p).FindAllIndex(s, -1)))
	}
	s = regexp.MustCompile("tHa[Nt]|aND|a(c+)g").ReplaceAll(s, []byte("<$1>"))
	fmt.Println(len(s))
}
