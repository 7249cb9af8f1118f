// SPDX-License-Identifier: MIT

package regexp

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// replace returns s with what f appends in the place of each match, and
// whether there was one.
func (re *Regexp) replace(s string, ncap int, f func(out []byte, m []int) []byte) ([]byte, bool) {
	var out []byte
	found := false
	last := 0 // end of the match before
	for pos := 0; pos <= len(s); {
		m := re.find(s, pos, ncap)
		if m == nil {
			break
		}
		found = true
		out = append(out, s[last:m[0]]...)
		// No empty match next to another one.
		if m[1] > last || m[0] == 0 {
			out = f(out, m)
		}
		last = m[1]
		pos = max(m[1], pos+step(s, pos))
	}
	return append(out, s[last:]...), found
}

func (re *Regexp) replaceString(s string, ncap int, f func([]byte, []int) []byte) string {
	out, found := re.replace(s, ncap, f)
	if !found {
		return s
	}
	return text(out)
}

func (re *Regexp) replaceBytes(b []byte, ncap int, f func([]byte, []int) []byte) []byte {
	out, found := re.replace(text(b), ncap, f)
	if !found {
		return append([]byte(nil), b...)
	}
	return out
}

// expander is what a template with $ means.
func (re *Regexp) expander(template, src string) (ncap int, f func([]byte, []int) []byte) {
	ncap = 2
	if strings.IndexByte(template, '$') >= 0 {
		ncap = re.ncap()
	}
	return ncap, func(out []byte, m []int) []byte { return re.expand(out, template, src, m) }
}

// ReplaceAllString replaces the matches in src by repl, in which $1 or ${name}
// stand for groups.
func (re *Regexp) ReplaceAllString(src, repl string) string {
	ncap, f := re.expander(repl, src)
	return re.replaceString(src, ncap, f)
}

// ReplaceAll is ReplaceAllString for bytes.
func (re *Regexp) ReplaceAll(src, repl []byte) []byte {
	ncap, f := re.expander(text(repl), text(src))
	return re.replaceBytes(src, ncap, f)
}

// ReplaceAllLiteralString replaces the matches in src by repl as it is.
func (re *Regexp) ReplaceAllLiteralString(src, repl string) string {
	return re.replaceString(src, 2, func(out []byte, m []int) []byte {
		return append(out, repl...)
	})
}

// ReplaceAllLiteral is ReplaceAllLiteralString for bytes.
func (re *Regexp) ReplaceAllLiteral(src, repl []byte) []byte {
	return re.replaceBytes(src, 2, func(out []byte, m []int) []byte {
		return append(out, repl...)
	})
}

// ReplaceAllStringFunc replaces the matches in src by what repl makes of them.
func (re *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return re.replaceString(src, 2, func(out []byte, m []int) []byte {
		return append(out, repl(src[m[0]:m[1]])...)
	})
}

// ReplaceAllFunc is ReplaceAllStringFunc for bytes.
func (re *Regexp) ReplaceAllFunc(src []byte, repl func([]byte) []byte) []byte {
	return re.replaceBytes(src, 2, func(out []byte, m []int) []byte {
		return append(out, repl(src[m[0]:m[1]])...)
	})
}

// ExpandString appends the template with the groups of a match in src.
func (re *Regexp) ExpandString(dst []byte, template string, src string, match []int) []byte {
	return re.expand(dst, template, src, match)
}

// Expand is ExpandString for bytes.
func (re *Regexp) Expand(dst []byte, template []byte, src []byte, match []int) []byte {
	return re.expand(dst, text(template), text(src), match)
}

func (re *Regexp) expand(out []byte, template, src string, m []int) []byte {
	for {
		i := strings.IndexByte(template, '$')
		if i < 0 {
			return append(out, template...)
		}
		out = append(out, template[:i]...)
		template = template[i+1:]
		if strings.HasPrefix(template, "$") {
			out = append(out, '$')
			template = template[1:]
			continue
		}
		name, rest, ok := variable(template)
		if !ok {
			out = append(out, '$')
			continue
		}
		template = rest
		if k := re.groupOf(name, m); k >= 0 {
			out = append(out, src[m[2*k]:m[2*k+1]]...)
		}
	}
}

// variable takes a name, perhaps in braces, from the beginning of s.
func variable(s string) (name, rest string, ok bool) {
	brace := strings.HasPrefix(s, "{")
	if brace {
		s = s[1:]
	}
	i := 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		i += n
	}
	if i == 0 {
		return "", "", false
	}
	name, rest = s[:i], s[i:]
	if brace {
		if !strings.HasPrefix(rest, "}") {
			return "", "", false
		}
		rest = rest[1:]
	}
	return name, rest, true
}

// groupOf is the group of m with a name or number, -1 if it has none.
func (re *Regexp) groupOf(name string, m []int) int {
	num := 0
	for i := 0; i < len(name) && num >= 0; i++ {
		if name[i] < '0' || name[i] > '9' || num >= 1e8 {
			num = -1
		} else {
			num = num*10 + int(name[i]-'0')
		}
	}
	if name[0] == '0' && len(name) > 1 {
		num = -1
	}
	if num >= 0 {
		if 2*num+1 < len(m) && m[2*num] >= 0 {
			return num
		}
		return -1
	}
	for i, s := range re.names {
		if s == name && 2*i+1 < len(m) && m[2*i] >= 0 {
			return i
		}
	}
	return -1
}
