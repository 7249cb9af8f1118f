// run
// SPDX-License-Identifier: MIT

// Literal prefixes, and matches of generated expressions folded into a number.
package main

import (
	"fmt"
	"hash/fnv"
	"regexp"
)

func main() {
	for _, s := range []string{"^a", "^ab", "^a$", "a$", "\\Aab", "(?m)^ab", "a|a", "b|bc", "|", "(?m)c|c", "abc|abd", "abc|abd|ab", "(abc)", "(a)(b)c", "(?:a|a)b", "(?i)a", "(?i)1a", "a{3}", "a{0}", "a{2,}b", "a+", "aa*", "a?", "", "()", "()a", "^", "$", "^$", "\\bfoo", "foo\\b", "[a]b", "[aA]b", "[ab]", "x|[x]", "é+", "\\x{fffd}a", "a\\x{fffd}b", ".", "(?s).", "^(ab)$", "^ab$", "^abc+$", "^(?:ab|ac)$", "abc(d|e)", "ab(c|c)d", "(ab|ab)c", "(?:)a", "(?:|)a", "a(?:|)b", "ab|abc|abd", "^a|^b", "^a|^ab", "^foo$|^foo$", "(?:^a)b", "\\Qa.b\\E", "a\\z", "\\Aa\\z", "\\Aabc", "^^a", "(^a)", "(?:(?:^a))b", "^a{2}", "^(?i:a)", "^a|b", "^\\bab"} {
		re, err := regexp.Compile(s)
		if err != nil {
			fmt.Println(err)
			continue
		}
		p, full := re.LiteralPrefix()
		fmt.Printf("%s %q %v\n", s, p, full)
	}
	h := fnv.New32()
	toks := []string{"a", "b", "ab", "a", "b", "|", "|", "(", ")", "(?:a", ")", "[ab]", "[a]", "^", "$", "*", "+", "?", ".", "{2}", "é", "\\b", "(?i)", "c"}
	st := uint32(7)
	n := 0
	for i := 0; i < 30000; i++ {
		s := ""
		st = st*1664525 + 1013904223
		l := 1 + int(st>>24)%9
		for j := 0; j < l; j++ {
			st = st*1664525 + 1013904223
			s += toks[(st>>16)%uint32(len(toks))]
		}
		re, err := regexp.Compile(s)
		if err != nil {
			continue
		}
		n++
		p, full := re.LiteralPrefix()
		fmt.Fprintf(h, "%s %q %v", s, p, full)
		for _, t := range []string{"", "a", "ab", "aab", "ba", "abcab", "cé"} {
			fmt.Fprint(h, re.FindAllStringSubmatchIndex(t, -1))
		}
		re.Longest()
		for _, t := range []string{"aab", "abcab"} {
			fmt.Fprint(h, re.FindAllStringSubmatchIndex(t, -1))
		}
		if n%500 == 0 {
			fmt.Printf("%s %x\n", s, h.Sum32())
		}
	}
	fmt.Println(n)
}
