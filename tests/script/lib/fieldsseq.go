// run
// SPDX-License-Identifier: MIT

// White space of all kinds between fields, of strings and bytes.
package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

func main() {
	for _, s := range []string{"", " a b\tc\nd\ve\ff\rg ", "\u0085x\u00a0y\u2003z\u3000", "a\x00b\x08c\x0ed\x1fe \xff f", "é è"} {
		fmt.Printf("%q\n", slices.Collect(strings.FieldsSeq(s)))
		for w := range bytes.FieldsSeq([]byte(s)) {
			fmt.Printf("%q ", w)
		}
		fmt.Println(slices.Equal(slices.Collect(strings.FieldsSeq(s)), strings.Fields(s)))
	}
	same := 0
	for seed := uint32(1); seed <= 3000; seed++ {
		same += check(text(seed))
	}
	fmt.Println(same, letters("one two\n\tthree  \u3000four", 3))
}

// text is made of pieces that are spaces, or look like some.
func text(seed uint32) string {
	pieces := []string{" ", "\n", "\t", "\r", "\x08", "\x0e", "!", "~", "\x7f", "\x80",
		"\xc2", "\u0085", "\u00a0", "\u00a1", "\u1680", "\u2000", "\u200b", "\u3000",
		"\u4e16", "\xe2\x80", "\U0001f600", "ab", "c"}
	s := ""
	for range seed % 40 {
		seed = seed*1664525 + 1013904223
		s += pieces[seed>>16%uint32(len(pieces))]
	}
	return s
}

func check(s string) int {
	want, i := strings.Fields(s), 0
	for f := range strings.FieldsSeq(s) {
		if i >= len(want) || f != want[i] {
			fmt.Printf("%q: %q\n", s, f)
			return 0
		}
		i++
	}
	if i != len(want) {
		fmt.Printf("%q: %d fields\n", s, i)
		return 0
	}
	return 1
}

// letters counts bytes of so many fields.
func letters(s string, n int) (sum int) {
	for f := range strings.FieldsSeq(s) {
		sum += len(f)
		if n--; n == 0 {
			return sum
		}
	}
	return -1
}
