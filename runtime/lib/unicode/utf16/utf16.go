// SPDX-License-Identifier: MIT

// Package utf16 translates between runes and UTF-16 sequences.
package utf16

const (
	replacement = '\uFFFD'
	surrMin     = 0xD800  // first high surrogate
	surrMid     = 0xDC00  // first low surrogate
	surrEnd     = 0xE000  // past the last low surrogate
	surrSelf    = 0x10000 // the first rune that needs a pair
	maxRune     = '\U0010FFFF'
)

// IsSurrogate reports whether r is half of a surrogate pair.
func IsSurrogate(r rune) bool { return surrMin <= r && r < surrEnd }

// DecodeRune returns the rune of a surrogate pair, U+FFFD if it is none.
func DecodeRune(r1, r2 rune) rune {
	if surrMin <= r1 && r1 < surrMid && surrMid <= r2 && r2 < surrEnd {
		return (r1-surrMin)<<10 | (r2 - surrMid) + surrSelf
	}
	return replacement
}

// EncodeRune returns the surrogate pair of r, twice U+FFFD if it has none.
func EncodeRune(r rune) (r1, r2 rune) {
	if r < surrSelf || r > maxRune {
		return replacement, replacement
	}
	r -= surrSelf
	return surrMin + r>>10&0x3FF, surrMid + r&0x3FF
}

// RuneLen returns the number of 16-bit words for r, -1 if r is not valid.
func RuneLen(r rune) int {
	switch {
	case 0 <= r && r < surrMin, surrEnd <= r && r < surrSelf:
		return 1
	case surrSelf <= r && r <= maxRune:
		return 2
	}
	return -1
}

// AppendRune appends the encoding of r, of U+FFFD if r is not valid.
func AppendRune(a []uint16, r rune) []uint16 {
	switch RuneLen(r) {
	case 1:
		return append(a, uint16(r))
	case 2:
		r1, r2 := EncodeRune(r)
		return append(a, uint16(r1), uint16(r2))
	}
	return append(a, replacement)
}

// Encode returns the UTF-16 encoding of s.
func Encode(s []rune) []uint16 {
	a := make([]uint16, 0, len(s))
	for _, r := range s {
		a = AppendRune(a, r)
	}
	return a
}

// Decode returns the runes of s; a lone surrogate becomes U+FFFD.
func Decode(s []uint16) []rune {
	a := make([]rune, 0, len(s))
	for i := 0; i < len(s); i++ {
		r := rune(s[i])
		if IsSurrogate(r) {
			pair := rune(replacement)
			if i+1 < len(s) {
				pair = DecodeRune(r, rune(s[i+1]))
			}
			if pair != replacement {
				i++
			}
			r = pair
		}
		a = append(a, r)
	}
	return a
}
