// SPDX-License-Identifier: MIT

// Package bytes implements functions to manipulate byte slices; it is the
// counterpart of package strings.
//
// Whatever needs no callback is a native (native.c); the functions that
// call script code, and the types, are Go.
package bytes

import (
	"unicode"
	"unicode/utf8"
)

//race:reads a, reads b
func Compare(a, b []byte) int

//race:reads s, reads substr
func Contains(s, substr []byte) bool

//race:reads s
func ContainsAny(s []byte, chars string) bool

//race:reads s
func ContainsRune(s []byte, r rune) bool

//race:reads s, reads substr
func Count(s, substr []byte) int

//race:reads s around before, reads sep
func Cut(s, sep []byte) (before, after []byte, found bool)

//race:reads s[:prefix], reads prefix
func CutPrefix(s, prefix []byte) (after []byte, found bool)

//race:reads s[-suffix:], reads suffix
func CutSuffix(s, suffix []byte) (before []byte, found bool)

//race:reads a, reads b
func Equal(a, b []byte) bool

//race:reads s, reads t
func EqualFold(s, t []byte) bool

//race:reads s
func Fields(s []byte) [][]byte

//race:reads s[:prefix], reads prefix
func HasPrefix(s, prefix []byte) bool

//race:reads s[-suffix:], reads suffix
func HasSuffix(s, suffix []byte) bool

//race:reads s upto r, reads substr
func Index(s, substr []byte) int

//race:reads s upto r
func IndexAny(s []byte, chars string) int

//race:reads s upto r
func IndexByte(s []byte, c byte) int

//race:reads s upto r
func IndexRune(s []byte, r rune) int

//race:reads s from r, reads substr
func LastIndex(s, substr []byte) int

//race:reads s from r
func LastIndexAny(s []byte, chars string) int

//race:reads s from r
func LastIndexByte(s []byte, c byte) int

//race:reads s, reads old, reads new
func Replace(s, old, new []byte, n int) []byte

//race:reads s, reads old, reads new
func ReplaceAll(s, old, new []byte) []byte

//race:reads s, reads sep
func Split(s, sep []byte) [][]byte

//race:reads s, reads sep
func SplitAfter(s, sep []byte) [][]byte

//race:reads s, reads sep
func SplitAfterN(s, sep []byte, n int) [][]byte

//race:reads s, reads sep
func SplitN(s, sep []byte, n int) [][]byte

//race:reads s
func ToLower(s []byte) []byte

//race:reads s
func ToTitle(s []byte) []byte

//race:reads s
func ToUpper(s []byte) []byte

//race:reads s, reads replacement
func ToValidUTF8(s, replacement []byte) []byte

//race:reads s around r
func Trim(s []byte, cutset string) []byte

//race:reads s around r
func TrimLeft(s []byte, cutset string) []byte

//race:reads s[:prefix], reads prefix
func TrimPrefix(s, prefix []byte) []byte

//race:reads s around r
func TrimRight(s []byte, cutset string) []byte

//race:reads s around r
func TrimSpace(s []byte) []byte

//race:reads s[-suffix:], reads suffix
func TrimSuffix(s, suffix []byte) []byte

// join and repeat report ok == false when the result's length overflows.
//
//race:reads elems each, reads sep
func join(elems [][]byte, sep []byte) (b []byte, ok bool)

//race:reads b
func repeat(b []byte, count int) (r []byte, ok bool)

// Clone returns a copy of b, nil for nil.
func Clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}

// Join concatenates s with sep between them.
func Join(s [][]byte, sep []byte) []byte {
	b, ok := join(s, sep)
	if !ok {
		panic("bytes: Join output length overflow")
	}
	return b
}

// Repeat returns count copies of b in a row.
func Repeat(b []byte, count int) []byte {
	if count < 0 {
		panic("bytes: negative Repeat count")
	}
	r, ok := repeat(b, count)
	if !ok {
		panic("bytes: Repeat output length overflow")
	}
	return r
}

// Runes returns the runes of s.
func Runes(s []byte) []rune {
	return []rune(string(s))
}

// next decodes the first rune of s, which is not empty.
func next(s []byte) (rune, int) {
	if c := s[0]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRune(s)
}

// ContainsFunc reports whether f holds for a rune of b.
func ContainsFunc(b []byte, f func(rune) bool) bool {
	return indexFunc(b, f, true) >= 0
}

// IndexFunc returns the index of the first rune for which f holds, or -1.
func IndexFunc(s []byte, f func(r rune) bool) int {
	return indexFunc(s, f, true)
}

func indexFunc(s []byte, f func(rune) bool, want bool) int {
	for i := 0; i < len(s); {
		r, size := next(s[i:])
		if f(r) == want {
			return i
		}
		i += size
	}
	return -1
}

// LastIndexFunc returns the index of the last rune for which f holds, or -1.
func LastIndexFunc(s []byte, f func(r rune) bool) int {
	return lastIndexFunc(s, f, true)
}

func lastIndexFunc(s []byte, f func(rune) bool, want bool) int {
	for i := len(s); i > 0; {
		r, size := rune(s[i-1]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeLastRune(s[:i])
		}
		i -= size
		if f(r) == want {
			return i
		}
	}
	return -1
}

// TrimLeftFunc removes the leading runes for which f holds.
func TrimLeftFunc(s []byte, f func(r rune) bool) []byte {
	i := indexFunc(s, f, false)
	if i < 0 {
		return nil
	}
	return s[i:]
}

// TrimRightFunc removes the trailing runes for which f holds.
func TrimRightFunc(s []byte, f func(r rune) bool) []byte {
	i := lastIndexFunc(s, f, false)
	if i < 0 {
		return s[:0]
	}
	_, size := next(s[i:])
	return s[:i+size]
}

// TrimFunc removes runes for which f holds at both ends.
func TrimFunc(s []byte, f func(r rune) bool) []byte {
	return TrimRightFunc(TrimLeftFunc(s, f), f)
}

// FieldsFunc splits s around runs of runes for which f holds.
func FieldsFunc(s []byte, f func(rune) bool) [][]byte {
	fields := make([][]byte, 0, 8)
	start := -1
	for i := 0; i < len(s); {
		r, size := next(s[i:])
		if f(r) {
			if start >= 0 {
				fields = append(fields, s[start:i:i])
				start = -1
			}
		} else if start < 0 {
			start = i
		}
		i += size
	}
	if start >= 0 {
		fields = append(fields, s[start:len(s):len(s)])
	}
	return fields
}

// Map returns a copy of s with every rune r replaced by mapping(r); a
// negative result drops it.
func Map(mapping func(r rune) rune, s []byte) []byte {
	buf := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		r, size := next(s[i:])
		r = mapping(r)
		if 0 <= r && r < utf8.RuneSelf {
			buf = append(buf, byte(r))
		} else if r >= 0 {
			buf = utf8.AppendRune(buf, r)
		}
		i += size
	}
	return buf
}

// ToUpperSpecial maps to upper case, c's rules first.
func ToUpperSpecial(c unicode.SpecialCase, s []byte) []byte {
	return Map(c.ToUpper, s)
}

// ToLowerSpecial maps to lower case, c's rules first.
func ToLowerSpecial(c unicode.SpecialCase, s []byte) []byte {
	return Map(c.ToLower, s)
}

// ToTitleSpecial maps to title case, c's rules first.
func ToTitleSpecial(c unicode.SpecialCase, s []byte) []byte {
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
func Title(s []byte) []byte {
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
