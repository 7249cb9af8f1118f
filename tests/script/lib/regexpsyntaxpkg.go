// run
// SPDX-License-Identifier: MIT

// Package regexp: wrong expressions, and its functions.
package main

import (
	"bytes"
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

var seed uint32 = 5

func rnd(n int) int {
	seed = seed*1664525 + 1013904223
	return int(seed>>8) % n
}

var bits = []string{"a", "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "\\", "^", "$", ".", "-", ":", "(?", "(?i", "(?P<", "(?<x>", ">", "\\p", "\\pL", "\\p{", "Greek", "1", "01", ",", "1000", "1001", "\\x", "\\x{", "41", "\\Q", "\\E", "[:", ":]", "alpha", "[[:alpha:]]", "[^", "\\d", "\\8", "\\1", "\\01", "\xff", "é", "z-a", "a-z", "\\C", "\\z", "(?:", "n", "{2}", "{2,", "\\P{^L}", "\\pX", "lu", "\\"}

func main() {
	defer func() { fmt.Printf("%08x\n", out.sum.Sum32()) }()
	for i := 0; i < 5000; i++ {
		var b strings.Builder
		for k := rnd(7) + 1; k > 0; k-- {
			b.WriteString(bits[rnd(len(bits))])
		}
		e := b.String()
		re, err := regexp.Compile(e)
		if err != nil {
			fmt.Fprintf(out, "%q %v\n", e, err)
		} else {
			fmt.Fprintf(out, "%q ok %v\n", e, re.FindAllStringSubmatchIndex("aéz-Z(1[a]{2}α\n]:", -1))
		}
		re, err = regexp.CompilePOSIX(e)
		if err != nil {
			fmt.Fprintf(out, "%q %v\n", e, err)
		} else {
			fmt.Fprintf(out, "%q ok %v\n", e, re.FindAllStringSubmatchIndex("aéz-Z(1[a]{2}α\n]:", -1))
		}
	}
	for _, n := range []string{"L", "Lu", "letter", "Greek", "greek", "Han", "Any", "ASCII", "Assigned", "Cn", "any", "White_Space", "Uppercase_Letter", "upper case-letter", "^Lu", "", "Punct", "digit", "Zs"} {
		for _, f := range []string{"", "(?i)"} {
			re, err := regexp.Compile(f + `\p{` + n + `}`)
			if err != nil {
				fmt.Fprintln(out, n, err)
				continue
			}
			c, h := 0, 0
			for r := rune(0); r < 0x3000; r++ {
				if re.MatchString(string(r)) {
					c++
					h = h*31 + int(r)
				}
			}
			fmt.Fprintln(out, f, n, c, h)
		}
	}
	re := regexp.MustCompile(`(?P<first>\w+)\s+(?P<second>\w+)`)
	src := []byte("hello world, foo bar\nx y")
	fmt.Fprintf(out, "%q %q %q\n", re.Find(src), re.FindSubmatch(src), re.FindAllSubmatch(src, -1))
	fmt.Fprintln(out, re.FindIndex(src), re.FindSubmatchIndex(src), re.FindAllIndex(src, -1), re.FindAllSubmatchIndex(src, 2))
	fmt.Fprintf(out, "%q %q %q\n", re.FindAll(src, 2), re.ReplaceAll(src, []byte("$second $first $$ $x ${first}x $firstx $1x ${1}x $ ${ ${bad")), re.ReplaceAllLiteral(src, []byte("$1")))
	fmt.Fprintf(out, "%q %q\n", re.ReplaceAllFunc(src, bytes.ToUpper), re.ReplaceAllStringFunc(string(src), strings.ToTitle))
	fmt.Fprintln(out, re.SubexpIndex("second"), re.SubexpIndex("zz"), re.SubexpIndex(""), re.String(), re)
	fmt.Fprintf(out, "%q\n", re.ExpandString([]byte("pre:"), "$second=$first $01 $99 $0", string(src), re.FindStringSubmatchIndex(string(src))))
	fmt.Fprintln(out, re.FindReaderIndex(strings.NewReader("!! ab cd")), re.FindReaderSubmatchIndex(strings.NewReader("!! ab cd")), re.MatchReader(strings.NewReader("a b")))
	fmt.Fprintln(out, regexp.QuoteMeta("a.b*c[d]\\^$é"))
	for _, e := range []string{"abc", "abc+", "a(bc)d", "(abc)", "", "ab|c", "[a]bc", "(?i)abc", "a{2}b", "日本x*"} {
		p, c := regexp.MustCompile(e).LiteralPrefix()
		fmt.Fprintf(out, "%q %q %v\n", e, p, c)
	}
	func() {
		defer func() { fmt.Fprintln(out, recover()) }()
		regexp.MustCompile("a(b")
	}()
	func() {
		defer func() { fmt.Fprintln(out, recover()) }()
		regexp.MustCompilePOSIX("a`(b")
	}()
	m, err := regexp.MatchString("foo.*", "seafood")
	fmt.Fprintln(out, m, err)
	_, err = regexp.MatchString("a(b", "seafood")
	fmt.Fprintln(out, err)
	b, _ := re.MarshalText()
	var r2 regexp.Regexp
	fmt.Fprintln(out, r2.UnmarshalText(b), r2.String(), r2.UnmarshalText([]byte("(")))
	fmt.Fprintln(out, strings.Count(strings.Repeat("x*", 3), "x"))
	_, err = regexp.Compile(strings.Repeat("(", 1001) + strings.Repeat(")", 1001))
	fmt.Fprintln(out, len(err.Error()))
	_, err = regexp.Compile("((a{100}){100}){100}")
	fmt.Fprintln(out, err)
	_, err = regexp.Compile("(a{30}){30}")
	fmt.Fprintln(out, err)
}
