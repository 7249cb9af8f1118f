// SPDX-License-Identifier: MIT

// Package utf8 translates between runes and UTF-8 byte sequences. The loops
// are natives (native.c).
package utf8

const (
	RuneError = '\uFFFD'     // stands for an invalid encoding
	RuneSelf  = 0x80         // runes below are one byte, themselves
	MaxRune   = '\U0010FFFF' // the largest code point
	UTFMax    = 4            // the longest encoding
)

//race:reads p[-size:]
func DecodeLastRune(p []byte) (r rune, size int)

//race:none
func DecodeLastRuneInString(s string) (r rune, size int)

// DecodeRune is Go code for ASCII, since that is compiled into its callers.
func DecodeRune(p []byte) (r rune, size int) {
	if len(p) > 0 && p[0] < RuneSelf {
		return rune(p[0]), 1
	}
	return decodeRune(p)
}

//race:reads p[:size]
func decodeRune(p []byte) (r rune, size int)

func DecodeRuneInString(s string) (r rune, size int) {
	if len(s) > 0 && s[0] < RuneSelf {
		return rune(s[0]), 1
	}
	return decodeRuneInString(s)
}

//race:none
func decodeRuneInString(s string) (r rune, size int)

//race:reads p:1
func FullRune(p []byte) bool

//race:none
func FullRuneInString(s string) bool

//race:reads p
func RuneCount(p []byte) int

//race:none
func RuneCountInString(s string) (n int)

//race:none
func RuneLen(r rune) int

//race:none
func RuneStart(b byte) bool

//race:reads p
func Valid(p []byte) bool

//race:none
func ValidRune(r rune) bool

//race:none
func ValidString(s string) bool

// AppendRune appends the encoding of r, of RuneError if r is not valid.
func AppendRune(p []byte, r rune) []byte {
	switch RuneLen(r) {
	case 1:
		return append(p, byte(r))
	case 2:
		return append(p, 0xC0|byte(r>>6), 0x80|byte(r)&0x3F)
	case 3:
		return append(p, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F,
			0x80|byte(r)&0x3F)
	case 4:
		return append(p, 0xF0|byte(r>>18), 0x80|byte(r>>12)&0x3F,
			0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return append(p, 0xEF, 0xBF, 0xBD)
}

// EncodeRune writes the encoding of r, of RuneError if r is not valid, into
// p and returns its length. It panics if p is too short.
func EncodeRune(p []byte, r rune) int {
	n := RuneLen(r)
	switch n {
	case 1:
		p[0] = byte(r)
		return 1
	case 2:
		_ = p[1]
		p[0] = 0xC0 | byte(r>>6)
		p[1] = 0x80 | byte(r)&0x3F
		return 2
	case 4:
		_ = p[3]
		p[0] = 0xF0 | byte(r>>18)
		p[1] = 0x80 | byte(r>>12)&0x3F
		p[2] = 0x80 | byte(r>>6)&0x3F
		p[3] = 0x80 | byte(r)&0x3F
		return 4
	}
	if n < 0 {
		r = RuneError
	}
	_ = p[2]
	p[0] = 0xE0 | byte(r>>12)
	p[1] = 0x80 | byte(r>>6)&0x3F
	p[2] = 0x80 | byte(r)&0x3F
	return 3
}
