// SPDX-License-Identifier: MIT

package bytes

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Lines iterates over the lines of s, each with its newline.
func Lines(s []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for rest := s; len(rest) > 0; {
			n := IndexByte(rest, '\n') + 1
			if n == 0 {
				n = len(rest)
			}
			if !yield(rest[:n:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// splitSeq yields the pieces of s, each with the first keep bytes of the
// separator that follows it.
func splitSeq(s, sep []byte, keep int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		rest := s
		if len(sep) == 0 {
			for len(rest) > 0 {
				_, size := utf8.DecodeRune(rest)
				if !yield(rest[:size:size]) {
					return
				}
				rest = rest[size:]
			}
			return
		}
		for {
			i := Index(rest, sep)
			if i < 0 {
				break
			}
			if !yield(rest[: i+keep : i+keep]) {
				return
			}
			rest = rest[i+len(sep):]
		}
		yield(rest[:len(rest):len(rest)])
	}
}

// SplitSeq iterates over the subslices of s separated by sep.
func SplitSeq(s, sep []byte) iter.Seq[[]byte] {
	return splitSeq(s, sep, 0)
}

// SplitAfterSeq iterates over the subslices of s split after each sep.
func SplitAfterSeq(s, sep []byte) iter.Seq[[]byte] {
	return splitSeq(s, sep, len(sep))
}

// FieldsSeq iterates over the subslices of s between white space.
func FieldsSeq(s []byte) iter.Seq[[]byte] {
	return FieldsFuncSeq(s, isSpace)
}

// isSpace is small enough to be spliced in where runes are ASCII.
func isSpace(r rune) bool {
	if r < 128 {
		return r == ' ' || '\t' <= r && r <= '\r'
	}
	return unicode.IsSpace(r)
}

// FieldsFuncSeq iterates over the subslices of s between runs of runes for
// which f holds.
func FieldsFuncSeq(s []byte, f func(rune) bool) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		start := -1
		for i := 0; i < len(s); {
			r, size := next(s[i:])
			if f(r) {
				if start >= 0 {
					if !yield(s[start:i:i]) {
						return
					}
					start = -1
				}
			} else if start < 0 {
				start = i
			}
			i += size
		}
		if start >= 0 {
			yield(s[start:len(s):len(s)])
		}
	}
}
