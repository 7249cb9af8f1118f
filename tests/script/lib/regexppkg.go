// run
// SPDX-License-Identifier: MIT

// Package regexp: expressions and texts from a generator.
package main

import (
	"fmt"
	"hash"
	"hash/crc32"
	"os"
	"regexp"
	"strings"
)

// tee prints the first lines and sums up all.
type tee struct {
	lines int
	sum   hash.Hash32
}

func (t *tee) Write(p []byte) (int, error) {
	t.sum.Write(p)
	if t.lines > 0 {
		t.lines--
		os.Stdout.Write(p)
	}
	return len(p), nil
}

var out = &tee{30, crc32.NewIEEE()}

var seed uint32 = 1

func rnd(n int) int {
	seed = seed*1664525 + 1013904223
	return int(seed>>8) % n
}

func pick(s []string) string { return s[rnd(len(s))] }

var atoms = []string{"a", "b", "c", ".", "^", "$", `\b`, `\B`, "[ab]", "[^a]", `\d`, `\w`, `\s`, `\W`, "é", "(?:)", `\pL`, `[[:alpha:]]`, `\x41`, "\\n", "ab", "(?i:K)", "(?i:s)", "(?s:.)", "[a-c1-3]", `\A`, `\z`, "日", `[^\n]`, `\.`, "A"}
var reps = []string{"", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}", "{0}", "{1,2}"}

func gen(d int) string {
	switch rnd(8) {
	case 0, 1, 2:
		return pick(atoms) + pick(reps)
	case 3, 4:
		if d > 0 {
			return gen(d-1) + gen(d-1)
		}
	case 5:
		if d > 0 {
			return "(" + gen(d-1) + ")" + pick(reps)
		}
	case 6:
		if d > 0 {
			return "(?:" + gen(d-1) + "|" + gen(d-1) + ")" + pick(reps)
		}
	case 7:
		if d > 0 {
			return pick([]string{"(?i)", "(?m)", "(?s)", "(?U)", "(?P<n>", "(?i-s:", "(?m:"}) + gen(d-1) + pick([]string{"", ")", ")", ")*"})
		}
	}
	return pick(atoms)
}

var chars = []string{"a", "b", "c", "A", "K", "k", "\u212a", "s", "ſ", "é", "日", "\n", " ", "1", "_", ".", "\xff", "ab", "aab"}

func subject() string {
	var b strings.Builder
	for i := rnd(12); i > 0; i-- {
		b.WriteString(pick(chars))
	}
	return b.String()
}

func main() {
	defer func() { fmt.Printf("%08x\n", out.sum.Sum32()) }()
	bad := 0
	for i := 0; i < 3000; i++ {
		e := gen(4)
		posix := rnd(6) == 0
		var re *regexp.Regexp
		var err error
		if posix {
			re, err = regexp.CompilePOSIX(e)
		} else {
			re, err = regexp.Compile(e)
		}
		if err != nil {
			bad++
			fmt.Fprintf(out, "%q %v\n", e, err)
			continue
		}
		if rnd(10) == 0 {
			re.Longest()
		}
		fmt.Fprintf(out, "%d %q %v %d %q\n", i, e, posix, re.NumSubexp(), re.SubexpNames())
		for k := 0; k < 4; k++ {
			s := subject()
			fmt.Fprintf(out, "%q %v %v %v %q %q %q %q\n", s, re.MatchString(s), re.FindStringSubmatchIndex(s), re.FindAllStringSubmatchIndex(s, -1),
				re.ReplaceAllString(s, "<$1$n${0}>"), re.Split(s, -1), re.FindAllString(s, 2), re.Split(s, 2))
		}
	}
	fmt.Fprintln(out, "bad", bad)
}
