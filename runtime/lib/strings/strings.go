// SPDX-License-Identifier: MIT

// Package strings implements functions to manipulate UTF-8 encoded strings.
//
// Whatever needs no callback is a native (native.c); the functions that
// call script code, and the types, are Go.
package strings

import (
	"unicode"
	"unicode/utf8"
)

//race:none
func Compare(a, b string) int

//race:none
func Contains(s, substr string) bool

//race:none
func ContainsAny(s, chars string) bool

//race:none
func ContainsRune(s string, r rune) bool

//race:none
func Count(s, substr string) int

//race:none
func Cut(s, sep string) (before, after string, found bool)

//race:none
func EqualFold(s, t string) bool

//race:none
func Fields(s string) []string

//race:none
func Index(s, substr string) int

//race:none
func IndexAny(s, chars string) int

//race:none
func IndexByte(s string, c byte) int

//race:none
func IndexRune(s string, r rune) int

//race:none
func LastIndex(s, substr string) int

//race:none
func LastIndexAny(s, chars string) int

//race:none
func LastIndexByte(s string, c byte) int

//race:none
func Replace(s, old, new string, n int) string

//race:none
func ReplaceAll(s, old, new string) string

//race:none
func Split(s, sep string) []string

//race:none
func SplitAfter(s, sep string) []string

//race:none
func SplitAfterN(s, sep string, n int) []string

//race:none
func SplitN(s, sep string, n int) []string

//race:none
func ToLower(s string) string

//race:none
func ToTitle(s string) string

//race:none
func ToUpper(s string) string

//race:none
func ToValidUTF8(s, replacement string) string

//race:none
func Trim(s, cutset string) string

//race:none
func TrimLeft(s, cutset string) string

//race:none
func TrimRight(s, cutset string) string

//race:none
func TrimSpace(s string) string

// join and repeat report ok == false when the result's length overflows.
//
//race:reads elems
func join(elems []string, sep string) (s string, ok bool)

//race:none
func repeat(s string, count int) (r string, ok bool)

// HasPrefix reports whether s begins with prefix.
func HasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && s[:len(prefix)] == prefix
}

// HasSuffix reports whether s ends with suffix.
func HasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

// CutPrefix returns s without prefix, and whether it was there.
func CutPrefix(s, prefix string) (after string, found bool) {
	if !HasPrefix(s, prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// CutSuffix returns s without suffix, and whether it was there.
func CutSuffix(s, suffix string) (before string, found bool) {
	if !HasSuffix(s, suffix) {
		return s, false
	}
	return s[:len(s)-len(suffix)], true
}

// TrimPrefix returns s without prefix, if it is there.
func TrimPrefix(s, prefix string) string {
	if HasPrefix(s, prefix) {
		return s[len(prefix):]
	}
	return s
}

// TrimSuffix returns s without suffix, if it is there.
func TrimSuffix(s, suffix string) string {
	if HasSuffix(s, suffix) {
		return s[:len(s)-len(suffix)]
	}
	return s
}

// Clone returns a copy of s in memory of its own.
func Clone(s string) string {
	if len(s) == 0 {
		return ""
	}
	return string([]byte(s))
}

// Join concatenates elems with sep between them.
func Join(elems []string, sep string) string {
	s, ok := join(elems, sep)
	if !ok {
		panic("strings: Join output length overflow")
	}
	return s
}

// Repeat returns count copies of s in a row.
func Repeat(s string, count int) string {
	if count < 0 {
		panic("strings: negative Repeat count")
	}
	r, ok := repeat(s, count)
	if !ok {
		panic("strings: Repeat output length overflow")
	}
	return r
}

// ContainsFunc reports whether f holds for a rune of s.
func ContainsFunc(s string, f func(rune) bool) bool {
	return IndexFunc(s, f) >= 0
}

// IndexFunc returns the index of the first rune for which f holds, or -1.
func IndexFunc(s string, f func(rune) bool) int {
	for i, r := range s {
		if f(r) {
			return i
		}
	}
	return -1
}

// indexNotFunc is IndexFunc with f negated.
func indexNotFunc(s string, f func(rune) bool) int {
	for i, r := range s {
		if !f(r) {
			return i
		}
	}
	return -1
}

// LastIndexFunc returns the index of the last rune for which f holds, or -1.
func LastIndexFunc(s string, f func(rune) bool) int {
	return lastIndexFunc(s, f, true)
}

func lastIndexFunc(s string, f func(rune) bool, want bool) int {
	for i := len(s); i > 0; {
		r, size := rune(s[i-1]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeLastRuneInString(s[:i])
		}
		i -= size
		if f(r) == want {
			return i
		}
	}
	return -1
}

// TrimLeftFunc removes the leading runes for which f holds.
func TrimLeftFunc(s string, f func(rune) bool) string {
	i := indexNotFunc(s, f)
	if i < 0 {
		return ""
	}
	return s[i:]
}

// TrimRightFunc removes the trailing runes for which f holds.
func TrimRightFunc(s string, f func(rune) bool) string {
	i := lastIndexFunc(s, f, false)
	if i < 0 {
		return s[:0]
	}
	if s[i] < utf8.RuneSelf {
		return s[:i+1]
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[:i+size]
}

// TrimFunc removes runes for which f holds at both ends.
func TrimFunc(s string, f func(rune) bool) string {
	return TrimRightFunc(TrimLeftFunc(s, f), f)
}

// FieldsFunc splits s around runs of runes for which f holds.
func FieldsFunc(s string, f func(rune) bool) []string {
	fields := make([]string, 0, 8)
	start := -1
	for i, r := range s {
		if f(r) {
			if start >= 0 {
				fields = append(fields, s[start:i])
				start = -1
			}
		} else if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		fields = append(fields, s[start:])
	}
	return fields
}

// Map replaces every rune r of s by mapping(r); a negative result drops it.
// s itself is returned when nothing changes.
func Map(mapping func(rune) rune, s string) string {
	for i, c := range s {
		r := mapping(c)
		if r == c && c != utf8.RuneError {
			continue
		}
		if r == c {
			// U+FFFD in the text stays; an invalid byte does not.
			_, size := utf8.DecodeRuneInString(s[i:])
			if size > 1 {
				continue
			}
		}
		return mapTail(mapping, s, i, r)
	}
	return s
}

// mapTail finishes Map once the rune at i has become r; s[:i] is unchanged.
func mapTail(mapping func(rune) rune, s string, i int, r rune) string {
	buf := make([]byte, i, len(s)+utf8.UTFMax)
	copy(buf, s)
	if r >= 0 {
		buf = utf8.AppendRune(buf, r)
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	for _, c := range s[i+size:] {
		r = mapping(c)
		if 0 <= r && r < utf8.RuneSelf {
			buf = append(buf, byte(r))
		} else if r >= 0 {
			buf = utf8.AppendRune(buf, r)
		}
	}
	return string(buf)
}

// ToUpperSpecial maps to upper case, c's rules first.
func ToUpperSpecial(c unicode.SpecialCase, s string) string {
	return Map(c.ToUpper, s)
}

// ToLowerSpecial maps to lower case, c's rules first.
func ToLowerSpecial(c unicode.SpecialCase, s string) string {
	return Map(c.ToLower, s)
}

// ToTitleSpecial maps to title case, c's rules first.
func ToTitleSpecial(c unicode.SpecialCase, s string) string {
	return Map(c.ToTitle, s)
}

// isSeparator is the word boundary of Title.
func isSeparator(r rune) bool {
	if r < utf8.RuneSelf {
		switch {
		case '0' <= r && r <= '9', 'a' <= r && r <= 'z',
			'A' <= r && r <= 'Z', r == '_':
			return false
		}
		return true
	}
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return false
	}
	return unicode.IsSpace(r)
}

// Title maps the first letter of each word to title case.
func Title(s string) string {
	prev := ' '
	return Map(func(r rune) rune {
		if isSeparator(prev) {
			prev = r
			return unicode.ToTitle(r)
		}
		prev = r
		return r
	}, s)
}
