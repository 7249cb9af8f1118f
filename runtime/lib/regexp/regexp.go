// SPDX-License-Identifier: MIT

// Package regexp searches for regular expressions, in time proportional to
// the length of the text.
package regexp

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// A Regexp is a compiled expression. Goroutines may share it.
type Regexp struct {
	expr  string
	prog  *prog
	names []string // of the groups; 0 is the whole
}

// match looks for a match in s that begins at pos or later.
//
//race:reads p, writes caps
func match(p *prog, s string, pos int, caps []int) bool

// matchChars looks for a match in a text whose characters are one long each.
//
//race:reads p, reads s, writes caps
func matchChars(p *prog, s []rune, caps []int) bool

func build(expr string, flags int, longest bool) (*Regexp, error) {
	tree, names, err := parse(expr, flags)
	if err != nil {
		return nil, err
	}
	p := compile(tree)
	p.longest = longest
	return &Regexp{expr, p, names}, nil
}

// Compile reads an expression.
func Compile(expr string) (*Regexp, error) { return build(expr, perl|oneLine, false) }

// CompilePOSIX reads an expression in the syntax of egrep; the longest of the
// leftmost matches counts.
func CompilePOSIX(expr string) (*Regexp, error) { return build(expr, 0, true) }

// MustCompile is Compile that panics on an error.
func MustCompile(str string) *Regexp {
	re, err := Compile(str)
	if err != nil {
		panic("regexp: Compile(" + quote(str) + "): " + err.Error())
	}
	return re
}

// MustCompilePOSIX is CompilePOSIX that panics on an error.
func MustCompilePOSIX(str string) *Regexp {
	re, err := CompilePOSIX(str)
	if err != nil {
		panic("regexp: CompilePOSIX(" + quote(str) + "): " + err.Error())
	}
	return re
}

func quote(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// String is the text of the expression.
func (re *Regexp) String() string { return re.expr }

// Copy is a Regexp equal to re.
func (re *Regexp) Copy() *Regexp {
	c := *re
	p := *re.prog
	c.prog = &p
	return &c
}

// Longest makes the longest of the leftmost matches count.
func (re *Regexp) Longest() { re.prog.longest = true }

// NumSubexp is the number of groups.
func (re *Regexp) NumSubexp() int { return len(re.names) - 1 }

// SubexpNames is the names of the groups, empty for those without; the first
// is the whole expression.
func (re *Regexp) SubexpNames() []string { return re.names }

// SubexpIndex is the number of the group with a name, -1 if there is none.
func (re *Regexp) SubexpIndex(name string) int {
	if name != "" {
		for i, s := range re.names {
			if s == name {
				return i
			}
		}
	}
	return -1
}

// LiteralPrefix is the text that every match begins with; complete says that
// the expression is no more than it. What ^ begins has one only where Go could
// match it in one pass.
func (re *Regexp) LiteralPrefix() (prefix string, complete bool) {
	return re.prog.literalPrefix()
}

// AppendText appends the text of the expression.
func (re *Regexp) AppendText(b []byte) ([]byte, error) { return append(b, re.expr...), nil }

// MarshalText is the text of the expression.
func (re *Regexp) MarshalText() ([]byte, error) { return []byte(re.expr), nil }

// UnmarshalText is Compile.
func (re *Regexp) UnmarshalText(text []byte) error {
	c, err := Compile(string(text))
	if err != nil {
		return err
	}
	*re = *c
	return nil
}

// QuoteMeta is an expression that matches the text s.
func QuoteMeta(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(`\.+*?()|[]{}^$`, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// text is b as a string that shares its memory.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// find returns the positions of a match and its groups, ncap in all.
func (re *Regexp) find(s string, pos, ncap int) []int {
	caps := make([]int, ncap)
	if !match(re.prog, s, pos, caps) {
		return nil
	}
	return caps
}

// ncap is the number of positions of a match with all groups.
func (re *Regexp) ncap() int { return 2 * len(re.names) }

// all calls f for each match, at most n if n is not negative. An empty match
// next to the match before it does not count.
func (re *Regexp) all(s string, n, ncap int, f func([]int)) {
	if n < 0 {
		n = len(s) + 1
	}
	prevEnd := -1
	for pos := 0; n > 0 && pos <= len(s); {
		m := re.find(s, pos, ncap)
		if m == nil {
			return
		}
		accept := true
		if m[1] == pos {
			accept = m[0] != prevEnd
			pos += step(s, pos)
		} else {
			pos = m[1]
		}
		prevEnd = m[1]
		if accept {
			f(m)
			n--
		}
	}
}

// step is the length of the rune at pos; 1 at the end.
func step(s string, pos int) int {
	_, n := utf8.DecodeRuneInString(s[pos:])
	return max(n, 1)
}

// MatchString reports whether s contains a match.
func (re *Regexp) MatchString(s string) bool { return match(re.prog, s, 0, nil) }

// Match reports whether b contains a match.
func (re *Regexp) Match(b []byte) bool { return match(re.prog, text(b), 0, nil) }

// MatchReader reports whether the text of r contains a match.
func (re *Regexp) MatchReader(r io.RuneReader) bool { return re.findIn(r, 0) != nil }

// MatchString compiles the pattern and reports whether s contains a match.
func MatchString(pattern string, s string) (matched bool, err error) {
	re, err := Compile(pattern)
	if err != nil {
		return false, err
	}
	return re.MatchString(s), nil
}

// Match is MatchString for bytes.
func Match(pattern string, b []byte) (matched bool, err error) {
	return MatchString(pattern, text(b))
}

// MatchReader is MatchString for the text of r.
func MatchReader(pattern string, r io.RuneReader) (matched bool, err error) {
	re, err := Compile(pattern)
	if err != nil {
		return false, err
	}
	return re.MatchReader(r), nil
}

// findIn is find for the text of r, whose characters may be what no string can
// have, and as long as r says.
func (re *Regexp) findIn(r io.RuneReader, ncap int) []int {
	var s []rune
	pos := []int{0} // where characters begin
	for {
		c, n, err := r.ReadRune()
		if err != nil || n == 0 {
			break
		}
		s = append(s, c)
		pos = append(pos, pos[len(s)-1]+n)
	}
	caps := make([]int, ncap)
	if !matchChars(re.prog, s, caps) {
		return nil
	}
	for i, k := range caps {
		if k >= 0 {
			caps[i] = pos[k]
		}
	}
	return caps
}

func (re *Regexp) FindStringIndex(s string) (loc []int) { return re.find(s, 0, 2) }
func (re *Regexp) FindIndex(b []byte) (loc []int)       { return re.find(text(b), 0, 2) }

func (re *Regexp) FindReaderIndex(r io.RuneReader) (loc []int) {
	return re.findIn(r, 2)
}

func (re *Regexp) FindStringSubmatchIndex(s string) []int { return re.find(s, 0, re.ncap()) }
func (re *Regexp) FindSubmatchIndex(b []byte) []int       { return re.find(text(b), 0, re.ncap()) }

func (re *Regexp) FindReaderSubmatchIndex(r io.RuneReader) []int {
	return re.findIn(r, re.ncap())
}

// FindString is the first match in s, empty if there is none.
func (re *Regexp) FindString(s string) string {
	m := re.find(s, 0, 2)
	if m == nil {
		return ""
	}
	return s[m[0]:m[1]]
}

// Find is the first match in b, nil if there is none.
func (re *Regexp) Find(b []byte) []byte {
	m := re.find(text(b), 0, 2)
	if m == nil {
		return nil
	}
	return b[m[0]:m[1]:m[1]]
}

// parts is the text of a match and its groups.
func parts(s string, m []int) []string {
	if m == nil {
		return nil
	}
	out := make([]string, len(m)/2)
	for i := range out {
		if m[2*i] >= 0 {
			out[i] = s[m[2*i]:m[2*i+1]]
		}
	}
	return out
}

func byteParts(b []byte, m []int) [][]byte {
	if m == nil {
		return nil
	}
	out := make([][]byte, len(m)/2)
	for i := range out {
		if m[2*i] >= 0 {
			out[i] = b[m[2*i]:m[2*i+1]:m[2*i+1]]
		}
	}
	return out
}

func (re *Regexp) FindStringSubmatch(s string) []string {
	return parts(s, re.find(s, 0, re.ncap()))
}

func (re *Regexp) FindSubmatch(b []byte) [][]byte {
	return byteParts(b, re.find(text(b), 0, re.ncap()))
}

func (re *Regexp) FindAllStringIndex(s string, n int) (out [][]int) {
	re.all(s, n, 2, func(m []int) { out = append(out, m) })
	return out
}

func (re *Regexp) FindAllIndex(b []byte, n int) [][]int {
	return re.FindAllStringIndex(text(b), n)
}

func (re *Regexp) FindAllString(s string, n int) (out []string) {
	re.all(s, n, 2, func(m []int) { out = append(out, s[m[0]:m[1]]) })
	return out
}

func (re *Regexp) FindAll(b []byte, n int) (out [][]byte) {
	re.all(text(b), n, 2, func(m []int) { out = append(out, b[m[0]:m[1]:m[1]]) })
	return out
}

func (re *Regexp) FindAllStringSubmatchIndex(s string, n int) (out [][]int) {
	re.all(s, n, re.ncap(), func(m []int) { out = append(out, m) })
	return out
}

func (re *Regexp) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return re.FindAllStringSubmatchIndex(text(b), n)
}

func (re *Regexp) FindAllStringSubmatch(s string, n int) (out [][]string) {
	re.all(s, n, re.ncap(), func(m []int) { out = append(out, parts(s, m)) })
	return out
}

func (re *Regexp) FindAllSubmatch(b []byte, n int) (out [][][]byte) {
	re.all(text(b), n, re.ncap(), func(m []int) { out = append(out, byteParts(b, m)) })
	return out
}

// Split cuts s at the matches, into at most n pieces if n is not negative.
func (re *Regexp) Split(s string, n int) []string {
	if n == 0 {
		return nil
	}
	if re.expr != "" && s == "" {
		return []string{""}
	}
	matches := re.FindAllStringIndex(s, n)
	out := make([]string, 0, len(matches))
	begin, end := 0, 0
	for _, m := range matches {
		if n > 0 && len(out) == n-1 {
			break
		}
		end = m[0]
		if m[1] != 0 {
			out = append(out, s[begin:end])
		}
		begin = m[1]
	}
	if end != len(s) {
		out = append(out, s[begin:])
	}
	return out
}
