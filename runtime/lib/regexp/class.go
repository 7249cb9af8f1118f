// SPDX-License-Identifier: MIT

package regexp

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sets of characters are lists of pairs: first, last.

// perlSet is what \d, \s or \w means.
func perlSet(c byte) []rune {
	switch c {
	case 'd':
		return []rune("09")
	case 's':
		return []rune("\t\n\f\r  ")
	}
	return []rune("09AZ__az")
}

// posixSet is what [:name:] means, nil if nothing.
func posixSet(name string) []rune {
	switch name {
	case "alnum":
		return []rune("09AZaz")
	case "alpha":
		return []rune("AZaz")
	case "ascii":
		return []rune("\x00\x7f")
	case "blank":
		return []rune("\t\t  ")
	case "cntrl":
		return []rune("\x00\x1f\x7f\x7f")
	case "digit":
		return []rune("09")
	case "graph":
		return []rune("!~")
	case "lower":
		return []rune("az")
	case "print":
		return []rune(" ~")
	case "punct":
		return []rune("!/:@[`{~")
	case "space":
		return []rune("\t\r  ")
	case "upper":
		return []rune("AZ")
	case "word":
		return []rune("09AZ__az")
	case "xdigit":
		return []rune("09AFaf")
	}
	return nil
}

// rangeTable returns the ranges of a table of package unicode.
//native unicode.rangeTable
//race:none
func rangeTable(id int) (r16 []unicode.Range16, r32 []unicode.Range32, latin int)

// unicodeSet is what \p{name} means.
func unicodeSet(name string) (set []rune, ok bool) {
	key := strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '_' || r == '-':
			return -1
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, name)
	switch key {
	case "any":
		return []rune{0, unicode.MaxRune}, true
	case "ascii":
		return []rune{0, unicode.MaxASCII}, true
	case "assigned":
		id, _ := tableNumber("cn")
		return negate(clean(tableSet(id))), true
	}
	id, ok := tableNumber(key)
	if !ok {
		return nil, false
	}
	return tableSet(id), true
}

func tableSet(id int) (set []rune) {
	r16, r32, _ := rangeTable(id)
	for _, r := range r16 {
		set = addStride(set, rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range r32 {
		set = addStride(set, rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return set
}

func addStride(set []rune, lo, hi, stride rune) []rune {
	if stride == 1 {
		return append(set, lo, hi)
	}
	for ; lo <= hi; lo += stride {
		set = append(set, lo, lo)
	}
	return set
}

// Between these are all characters that have other cases.
const (
	foldMin = 0x41
	foldMax = 0x1e943
)

// addFolded adds the characters from lo to hi and those that differ from them
// in case only.
func addFolded(set []rune, lo, hi rune) []rune {
	set = append(set, lo, hi)
	if lo <= foldMin && hi >= foldMax {
		return set
	}
	for r := max(lo, foldMin); r <= min(hi, foldMax); r++ {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			if n := len(set); f == set[n-1]+1 {
				set[n-1] = f
			} else if f < set[n-2] || f > set[n-1] {
				set = append(set, f, f)
			}
		}
	}
	return set
}

type pairs []rune

func (p pairs) Len() int           { return len(p) / 2 }
func (p pairs) Less(i, j int) bool { return p[2*i] < p[2*j] }
func (p pairs) Swap(i, j int) {
	p[2*i], p[2*j] = p[2*j], p[2*i]
	p[2*i+1], p[2*j+1] = p[2*j+1], p[2*i+1]
}

// clean sorts a set and joins ranges that touch.
func clean(set []rune) []rune {
	sort.Sort(pairs(set))
	n := 0
	for i := 0; i < len(set); i += 2 {
		lo, hi := set[i], set[i+1]
		if n > 0 && lo <= set[n-1]+1 {
			set[n-1] = max(set[n-1], hi)
		} else {
			set[n], set[n+1] = lo, hi
			n += 2
		}
	}
	return set[:n]
}

// negate is the characters that a clean set lacks.
func negate(set []rune) []rune {
	out := make([]rune, 0, len(set)+2)
	next := rune(0)
	for i := 0; i < len(set); i += 2 {
		if next < set[i] {
			out = append(out, next, set[i]-1)
		}
		next = set[i+1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, next, unicode.MaxRune)
	}
	return out
}

// addGroup adds a predefined set, or what it lacks.
func (p *parser) addGroup(set, group []rune, negative bool) []rune {
	if p.flags&fold != 0 {
		var more []rune
		for i := 0; i < len(group); i += 2 {
			more = addFolded(more, group[i], group[i+1])
		}
		group = more
	}
	if negative {
		group = negate(clean(group))
	}
	return append(set, group...)
}

// escapedClass parses \d and the like, and \p; ok is false for others.
func (p *parser) escapedClass(set []rune) (out []rune, ok bool) {
	s := p.rest
	if p.flags&perl == 0 || len(s) < 2 || s[0] != '\\' {
		return set, false
	}
	switch c := s[1]; c {
	case 'd', 's', 'w', 'D', 'S', 'W':
		p.rest = s[2:]
		return p.addGroup(set, perlSet(c|0x20), c < 'a'), true
	case 'p', 'P':
		negative := c == 'P'
		name, seq := "", ""
		t := s[2:]
		if t == "" {
			p.fail("invalid character class range", s)
		}
		r, t := p.first(t)
		if r != '{' {
			seq = s[:len(s)-len(t)]
			name = seq[2:]
		} else {
			end := strings.IndexByte(s, '}')
			if end < 0 {
				p.utf8(s)
				p.fail("invalid character class range", s)
			}
			seq, t = s[:end+1], s[end+1:]
			name = s[3:end]
			p.utf8(name)
		}
		if strings.HasPrefix(name, "^") {
			negative = !negative
			name = name[1:]
		}
		group, ok := unicodeSet(name)
		if !ok {
			p.fail("invalid character class range", seq)
		}
		p.rest = t
		return p.addGroup(set, group, negative), true
	}
	return set, false
}

// class parses a set in brackets.
func (p *parser) class() *node {
	whole := p.rest
	p.rest = whole[1:]
	negative := false
	var set []rune
	if strings.HasPrefix(p.rest, "^") {
		negative = true
		p.rest = p.rest[1:]
		if p.flags&perl == 0 {
			set = append(set, '\n', '\n')
		}
	}
	for first := true; first || p.rest == "" || p.rest[0] != ']'; first = false {
		t := p.rest
		if t != "" && t[0] == '-' && p.flags&perl == 0 && !first && (len(t) == 1 || t[1] != ']') {
			_, size := utf8.DecodeRuneInString(t[1:])
			p.fail("invalid character class range", t[:1+size])
		}
		if len(t) > 2 && t[0] == '[' && t[1] == ':' {
			if end := strings.Index(t[2:], ":]"); end >= 0 {
				name := t[2 : 2+end]
				p.rest = t[end+4:]
				not := strings.HasPrefix(name, "^")
				if not {
					name = name[1:]
				}
				group := posixSet(name)
				if group == nil {
					p.fail("invalid character class range", t[:end+4])
				}
				set = p.addGroup(set, group, not)
				continue
			}
		}
		if more, ok := p.escapedClass(set); ok {
			set = more
			continue
		}
		lo := p.classRune(whole)
		hi := lo
		if len(p.rest) >= 2 && p.rest[0] == '-' && p.rest[1] != ']' {
			p.rest = p.rest[1:]
			hi = p.classRune(whole)
			if hi < lo {
				p.fail("invalid character class range", t[:len(t)-len(p.rest)])
			}
		}
		if p.flags&fold != 0 {
			set = addFolded(set, lo, hi)
		} else {
			set = append(set, lo, hi)
		}
	}
	p.rest = p.rest[1:]
	set = clean(set)
	if negative {
		set = negate(set)
	}
	return &node{kind: nClass, runes: set}
}

// classRune parses one character of a set.
func (p *parser) classRune(whole string) (r rune) {
	if p.rest == "" {
		p.fail("missing closing ]", whole)
	}
	if p.rest[0] == '\\' {
		return p.escape()
	}
	r, p.rest = p.first(p.rest)
	return r
}
