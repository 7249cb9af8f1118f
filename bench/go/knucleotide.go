// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"sort"
	"strings"
)

// Counts the short words of a long text of four letters.

func text(n int) string {
	var b strings.Builder
	x := uint32(42)
	for range n {
		x = x*1664525 + 1013904223
		b.WriteByte("ACGT"[x>>30])
	}
	return b.String()
}

func count(s string, k int) map[string]int {
	m := map[string]int{}
	for i := 0; i+k <= len(s); i++ {
		m[s[i:i+k]]++
	}
	return m
}

func show(s string, k int) {
	m := count(s, k)
	words := make([]string, 0, len(m))
	for w := range m {
		words = append(words, w)
	}
	sort.Slice(words, func(i, j int) bool {
		a, b := words[i], words[j]
		return m[a] > m[b] || m[a] == m[b] && a < b
	})
	for _, w := range words[:4] {
		fmt.Printf("%s %.3f\n", w, 100*float64(m[w])/float64(len(s)-k+1))
	}
}

func main() {
	s := text(150000)
	for _, k := range []int{1, 2, 6, 12} {
		show(s, k)
	}
	fmt.Println(count(s, 4)["GGTA"], count(s, 18)[s[:18]])
}
