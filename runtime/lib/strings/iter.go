// SPDX-License-Identifier: MIT

package strings

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Lines iterates over the lines of s, each with its newline.
func Lines(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := s; len(rest) > 0; {
			n := IndexByte(rest, '\n') + 1
			if n == 0 {
				n = len(rest)
			}
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// indexSep is Index, and small enough to be spliced in: most separators have one
// byte.
func indexSep(s, sep string) int {
	if len(sep) == 1 {
		return IndexByte(s, sep[0])
	}
	return Index(s, sep)
}

// splitSeq yields the pieces of s, each with the first keep bytes of the
// separator that follows it.
func splitSeq(s, sep string, keep int) iter.Seq[string] {
	return func(yield func(string) bool) {
		rest := s
		if len(sep) == 0 {
			for len(rest) > 0 {
				_, size := utf8.DecodeRuneInString(rest)
				if !yield(rest[:size]) {
					return
				}
				rest = rest[size:]
			}
			return
		}
		for {
			i := indexSep(rest, sep)
			if i < 0 {
				break
			}
			if !yield(rest[:i+keep]) {
				return
			}
			rest = rest[i+len(sep):]
		}
		yield(rest)
	}
}

// SplitSeq iterates over the substrings of s separated by sep.
func SplitSeq(s, sep string) iter.Seq[string] {
	return splitSeq(s, sep, 0)
}

// SplitAfterSeq iterates over the substrings of s split after each sep.
func SplitAfterSeq(s, sep string) iter.Seq[string] {
	return splitSeq(s, sep, len(sep))
}

// FieldsSeq iterates over the substrings of s between white space.
func FieldsSeq(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1
		for i := 0; i < len(s); {
			n := 1
			// Most characters are asked no more than this.
			if c := s[i]; c > ' ' && c < utf8.RuneSelf {
				if start < 0 {
					start = i
				}
				i++
				continue
			} else if c != ' ' {
				if n = spaceAt(s, i); n < 0 {
					if start < 0 {
						start = i
					}
					i -= n
					continue
				}
			}
			if start >= 0 {
				if !yield(s[start:i]) {
					return
				}
				start = -1
			}
			i += n
		}
		if start >= 0 {
			yield(s[start:])
		}
	}
}

// spaceAt is the width of the character at s[i], less than 0 if it is no space.
//
//go:noinline
func spaceAt(s string, i int) int {
	if c := s[i]; '\t' <= c && c <= '\r' {
		return 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	if unicode.IsSpace(r) {
		return n
	}
	return -n
}

// FieldsFuncSeq iterates over the substrings of s between runs of runes for
// which f holds.
func FieldsFuncSeq(s string, f func(rune) bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1
		for i, r := range s {
			if f(r) {
				if start >= 0 {
					if !yield(s[start:i]) {
						return
					}
					start = -1
				}
			} else if start < 0 {
				start = i
			}
		}
		if start >= 0 {
			yield(s[start:])
		}
	}
}
