// SPDX-License-Identifier: MIT

package regexp

import (
	"internal/regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kinds of nodes of an expression's tree.
const (
	nEmpty = iota
	nFail
	nRune   // the character min
	nClass  // one of runes, pairs of first and last
	nAny    // any character
	nLine   // any character but newline
	nAssert // the conditions min
	nGroup  // subs[0], with the number min if that is not 0
	nCat    // subs, one after another
	nAlt    // one of subs
	nRepeat // subs[0], at least min times, at most max unless that is -1
)

type node struct {
	kind     int
	min, max int
	lazy     bool
	runes    []rune
	subs     []*node
}

// Flags of the syntax.
const (
	fold     = 1 << iota // (?i)
	oneLine              // not (?m)
	dotAll               // (?s)
	swapLazy             // (?U)
	perl                 // not POSIX
)

const (
	maxRepeat = 1000
	maxDepth  = 1000
)

type parser struct {
	whole string
	rest  string
	flags int
	names []string // of the groups; 0 is the whole
	depth int
}

// fail ends the parsing; parse recovers.
func (p *parser) fail(code syntax.ErrorCode, expr string) { panic(&syntax.Error{code, expr}) }

// parse makes a tree of an expression.
func parse(expr string, flags int) (n *node, names []string, err error) {
	defer func() {
		if e := recover(); e != nil {
			se, ok := e.(*syntax.Error)
			if !ok {
				panic(e)
			}
			err = se
		}
	}()
	p := &parser{whole: expr, rest: expr, flags: flags, names: []string{""}}
	n = p.alternatives()
	if p.rest != "" {
		p.fail("unexpected )", expr)
	}
	return n, p.names, nil
}

// first decodes the first rune of s, which is not empty.
func (p *parser) first(s string) (r rune, rest string) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		p.fail("invalid UTF-8", s)
	}
	return r, s[n:]
}

// utf8 checks that s is valid.
func (p *parser) utf8(s string) {
	for s != "" {
		_, s = p.first(s)
	}
}

// alternatives parses up to a closing parenthesis or the end.
func (p *parser) alternatives() *node {
	p.depth++
	if p.depth > maxDepth {
		p.fail("expression nests too deeply", p.whole)
	}
	alts := []*node{p.sequence()}
	for strings.HasPrefix(p.rest, "|") {
		p.rest = p.rest[1:]
		alts = append(alts, p.sequence())
	}
	p.depth--
	if len(alts) == 1 {
		return alts[0]
	}
	lists := make([][]*node, len(alts))
	for i, n := range alts {
		lists[i] = n.flat(nil)
	}
	return factor(lists)
}

// sequence parses one alternative.
func (p *parser) sequence() *node {
	var list []*node
	add := func(n *node) { list = append(list, n) }
	lastRepeat := ""
	for p.rest != "" {
		repeat := ""
		switch p.rest[0] {
		case '|', ')':
			return &node{kind: nCat, subs: list}
		case '(':
			if p.flags&perl != 0 && len(p.rest) >= 2 && p.rest[1] == '?' {
				if n := p.perlGroup(); n != nil {
					add(n)
				}
			} else {
				p.rest = p.rest[1:]
				p.names = append(p.names, "")
				add(p.group(len(p.names)-1, p.flags, p.flags))
			}
		case '[':
			add(p.class())
		case '.':
			p.rest = p.rest[1:]
			if p.flags&dotAll != 0 {
				add(&node{kind: nAny})
			} else {
				add(&node{kind: nLine})
			}
		case '^':
			p.rest = p.rest[1:]
			add(p.assert(beginText, beginLine))
		case '$':
			p.rest = p.rest[1:]
			add(p.assert(endText, endLine))
		case '*', '+', '?', '{':
			before := p.rest
			min, max, ok := p.count()
			if !ok {
				p.rest = p.rest[1:]
				add(p.literal('{'))
				break
			}
			list = p.repeat(list, min, max, before, lastRepeat)
			repeat = before
		case '\\':
			list = p.backslash(list)
		default:
			var r rune
			r, p.rest = p.first(p.rest)
			add(p.literal(r))
		}
		lastRepeat = repeat
	}
	return &node{kind: nCat, subs: list}
}

// assert is a condition about the text or, with (?m), about the line.
func (p *parser) assert(text, line int) *node {
	if p.flags&oneLine != 0 {
		return &node{kind: nAssert, min: text}
	}
	return &node{kind: nAssert, min: line}
}

// literal is the character r, or those that differ from it in case.
func (p *parser) literal(r rune) *node {
	if p.flags&fold != 0 && unicode.SimpleFold(r) != r {
		return &node{kind: nClass, runes: clean(addFolded(nil, r, r))}
	}
	return &node{kind: nRune, min: int(r)}
}

// group parses the rest of a group, with its own flags; those of outside come
// back behind it.
func (p *parser) group(number, inside, outside int) *node {
	p.flags = inside
	n := p.alternatives()
	if p.rest == "" {
		p.fail("missing closing )", p.whole)
	}
	p.rest = p.rest[1:]
	p.flags = outside
	return &node{kind: nGroup, min: number, subs: []*node{n}}
}

// perlGroup parses what begins with (?; it returns nil if that only sets
// flags.
func (p *parser) perlGroup() *node {
	s := p.rest
	begin := 0
	if len(s) > 4 && s[2] == 'P' && s[3] == '<' {
		begin = 4
	} else if len(s) > 3 && s[2] == '<' {
		begin = 3
	}
	if begin > 0 {
		end := strings.IndexByte(s, '>')
		if end < 0 {
			p.utf8(s)
			p.fail("invalid named capture", s)
		}
		name := s[begin:end]
		p.utf8(name)
		if !isName(name) {
			p.fail("invalid named capture", s[:end+1])
		}
		p.names = append(p.names, name)
		p.rest = s[end+1:]
		return p.group(len(p.names)-1, p.flags, p.flags)
	}
	flags, minus, saw := p.flags, false, false
	rest := s[2:]
	for rest != "" {
		var c rune
		c, rest = p.first(rest)
		bit := 0
		switch c {
		case 'i':
			bit = fold
		case 'm':
			bit = oneLine
		case 's':
			bit = dotAll
		case 'U':
			bit = swapLazy
		case '-':
			if minus {
				p.fail("invalid or unsupported Perl syntax", s[:len(s)-len(rest)])
			}
			minus, saw = true, false
			continue
		case ':', ')':
			if minus && !saw {
				p.fail("invalid or unsupported Perl syntax", s[:len(s)-len(rest)])
			}
			p.rest = rest
			if c == ':' {
				return p.group(0, flags, p.flags)
			}
			p.flags = flags
			return nil
		default:
			p.fail("invalid or unsupported Perl syntax", s[:len(s)-len(rest)])
		}
		saw = true
		if minus != (bit == oneLine) {
			flags &^= bit
		} else {
			flags |= bit
		}
	}
	p.fail("invalid or unsupported Perl syntax", s)
	return nil
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '_' && !isAlnum(s[i]) {
			return false
		}
	}
	return s != ""
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// count parses a repetition operator; ok is false for a brace that is none.
func (p *parser) count() (min, max int, ok bool) {
	s := p.rest
	switch s[0] {
	case '*':
		min, max = 0, -1
	case '+':
		min, max = 1, -1
	case '?':
		min, max = 0, 1
	default:
		s = s[1:]
		if min, s, ok = number(s); !ok || s == "" {
			return 0, 0, false
		}
		max = min
		if s[0] == ',' {
			s = s[1:]
			if s == "" {
				return 0, 0, false
			}
			if s[0] == '}' {
				max = -1
			} else if max, s, ok = number(s); !ok {
				return 0, 0, false
			} else if max < 0 {
				min = -1
			}
		}
		if s == "" || s[0] != '}' {
			return 0, 0, false
		}
	}
	p.rest = s[1:]
	return min, max, true
}

// number parses digits without a needless zero; it is -1 if too large.
func number(s string) (n int, rest string, ok bool) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, s, false
	}
	if len(s) >= 2 && s[0] == '0' && '0' <= s[1] && s[1] <= '9' {
		return 0, s, false
	}
	i := 0
	for ; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		if n >= 1e8 {
			n = -1
		}
		if n >= 0 {
			n = n*10 + int(s[i]-'0')
		}
	}
	return n, s[i:], true
}

// repeat applies a repetition, whose text before begins with, to the last
// node of the list.
func (p *parser) repeat(list []*node, min, max int, before, lastRepeat string) []*node {
	brace := before[0] == '{'
	text := before[:len(before)-len(p.rest)]
	if brace && (min < 0 || min > maxRepeat || max > maxRepeat || max >= 0 && min > max) {
		p.fail("invalid repeat count", text)
	}
	lazy := p.flags&swapLazy != 0
	if p.flags&perl != 0 {
		if strings.HasPrefix(p.rest, "?") {
			p.rest = p.rest[1:]
			lazy = !lazy
		}
		if lastRepeat != "" {
			p.fail("invalid nested repetition operator", lastRepeat[:len(lastRepeat)-len(p.rest)])
		}
	}
	text = before[:len(before)-len(p.rest)]
	if len(list) == 0 {
		p.fail("missing argument to repetition operator", text)
	}
	last := len(list) - 1
	n := &node{kind: nRepeat, min: min, max: max, lazy: lazy, subs: []*node{list[last]}}
	if brace && (min >= 2 || max >= 2) && !n.repeatsAtMost(maxRepeat) {
		p.fail("invalid repeat count", text)
	}
	list[last] = n
	return list
}

// repeatsAtMost reports whether nested counts multiply to at most limit.
func (n *node) repeatsAtMost(limit int) bool {
	if n.kind == nRepeat && !(n.max == -1 && n.min <= 1) && !(n.min == 0 && n.max == 1) {
		m := n.max
		if m == 0 {
			return true
		}
		if m < 0 {
			m = n.min
		}
		if m > limit {
			return false
		}
		if m > 0 {
			limit /= m
		}
	}
	for _, sub := range n.subs {
		if !sub.repeatsAtMost(limit) {
			return false
		}
	}
	return true
}

// backslash parses an escape and adds what it means.
func (p *parser) backslash(list []*node) []*node {
	s := p.rest
	if p.flags&perl != 0 && len(s) >= 2 {
		bit := 0
		switch s[1] {
		case 'A':
			bit = beginText
		case 'z':
			bit = endText
		case 'b':
			bit = wordEdge
		case 'B':
			bit = noWordEdge
		case 'C':
			p.fail("invalid escape sequence", s[:2])
		case 'Q':
			text := s[2:]
			p.rest = ""
			if i := strings.Index(text, `\E`); i >= 0 {
				text, p.rest = text[:i], text[i+2:]
			}
			for text != "" {
				var r rune
				r, text = p.first(text)
				list = append(list, p.literal(r))
			}
			return list
		}
		if bit != 0 {
			p.rest = s[2:]
			return append(list, &node{kind: nAssert, min: bit})
		}
	}
	if set, ok := p.escapedClass(nil); ok {
		return append(list, &node{kind: nClass, runes: clean(set)})
	}
	return append(list, p.literal(p.escape()))
}

// escape parses an escape that means one character.
func (p *parser) escape() rune {
	s := p.rest
	t := s[1:]
	if t == "" {
		p.fail("trailing backslash at end of expression", "")
	}
	c, t := p.first(t)
	switch {
	case '1' <= c && c <= '7' && (t == "" || t[0] < '0' || t[0] > '7'):
		// A reference to a group.
	case '0' <= c && c <= '7':
		r := c - '0'
		for i := 1; i < 3 && t != "" && '0' <= t[0] && t[0] <= '7'; i++ {
			r = r*8 + rune(t[0]-'0')
			t = t[1:]
		}
		p.rest = t
		return r
	case c == 'x':
		r, u, ok := p.hex(t)
		t = u
		if ok {
			p.rest = t
			return r
		}
	case strings.IndexRune("afnrtv", c) >= 0:
		p.rest = t
		return rune("\a\f\n\r\t\v"[strings.IndexRune("afnrtv", c)])
	case c < utf8.RuneSelf && !isAlnum(byte(c)):
		p.rest = t
		return c
	}
	p.fail("invalid escape sequence", s[:len(s)-len(t)])
	return 0
}

// hex parses what follows \x: two digits, or any number in braces.
func (p *parser) hex(t string) (r rune, rest string, ok bool) {
	if t == "" {
		return 0, t, false
	}
	c, t := p.first(t)
	if c != '{' {
		x := digit(c)
		if x < 0 && t == "" {
			return 0, t, false
		}
		if t == "" {
			return 0, t, false
		}
		c, t = p.first(t)
		y := digit(c)
		return x*16 + y, t, x >= 0 && y >= 0
	}
	for n := 0; t != ""; n++ {
		c, t = p.first(t)
		if c == '}' {
			return r, t, n > 0
		}
		v := digit(c)
		if v < 0 {
			return 0, t, false
		}
		r = r*16 + v
		if r > unicode.MaxRune {
			return 0, t, false
		}
	}
	return 0, t, false
}

// digit is the value of a hexadecimal digit, -1 if c is none.
func digit(c rune) rune {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return -1
}
