// SPDX-License-Identifier: MIT

package fmt

import (
	"strconv"
	"unicode/utf8"
)

const (
	lowerDigits = "0123456789abcdefx"
	upperDigits = "0123456789ABCDEFX"
)

// flags are the flags, width and precision of one verb.
type flags struct {
	wid, prec   int
	widPresent  bool
	precPresent bool
	minus       bool
	plus        bool
	sharp       bool
	space       bool
	zero        bool

	// For %+v and %#v these replace plus and sharp.
	plusV  bool
	sharpV bool
}

// fill writes n padding bytes.
func (p *pp) fill(n int) {
	if p.zero && !p.minus {
		p.repeat(zeros, n)
	} else {
		p.repeat(blanks, n)
	}
}

const (
	blanks = "                                                                "
	zeros  = "0000000000000000000000000000000000000000000000000000000000000000"
)

// repeat writes the first n bytes of text, again and again if it is shorter.
func (p *pp) repeat(text string, n int) {
	for n > 0 {
		k := min(n, len(text))
		p.buf = append(p.buf, text[:k]...)
		n -= k
	}
}

// pad writes b, padded to the width.
func (p *pp) pad(b []byte) {
	if !p.widPresent || p.wid == 0 {
		p.buf = append(p.buf, b...)
		return
	}
	n := p.wid - utf8.RuneCount(b)
	if !p.minus {
		p.fill(n)
		p.buf = append(p.buf, b...)
	} else {
		p.buf = append(p.buf, b...)
		p.fill(n)
	}
}

// padString writes s, padded to the width.
func (p *pp) padString(s string) {
	if !p.widPresent || p.wid == 0 {
		p.buf = append(p.buf, s...)
		return
	}
	n := p.wid - utf8.RuneCountInString(s)
	if !p.minus {
		p.fill(n)
		p.buf = append(p.buf, s...)
	} else {
		p.buf = append(p.buf, s...)
		p.fill(n)
	}
}

// padSpaces is pad that never pads with zeros.
func (p *pp) padSpaces(b []byte) {
	zero := p.zero
	p.zero = false
	p.pad(b)
	p.zero = zero
}

func (p *pp) putBool(v bool) {
	if v {
		p.padString("true")
	} else {
		p.padString("false")
	}
}

// putUnicode writes u as U+0078, or with the # flag as U+0078 'x'.
func (p *pp) putUnicode(u uint64) {
	prec := 4
	if p.precPresent && p.prec > 4 {
		prec = p.prec
	}
	hex := strconv.FormatUint(u, 16)
	b := append(make([]byte, 0, prec+16), "U+"...)
	for i := len(hex); i < prec; i++ {
		b = append(b, '0')
	}
	for i := 0; i < len(hex); i++ {
		c := hex[i]
		if c >= 'a' {
			c -= 'a' - 'A'
		}
		b = append(b, c)
	}
	if p.sharp && u <= utf8.MaxRune && strconv.IsPrint(rune(u)) {
		b = append(b, " '"...)
		b = utf8.AppendRune(b, rune(u))
		b = append(b, '\'')
	}
	p.padSpaces(b)
}

// putInteger writes u, which is an int64 if signed, in the given base.
func (p *pp) putInteger(u uint64, base int, signed bool, verb rune, digits string) {
	negative := signed && int64(u) < 0
	if base == 10 && !p.widPresent && !p.precPresent && !p.plus && !p.space {
		if signed {
			p.buf = strconv.AppendInt(p.buf, int64(u), 10)
		} else {
			p.buf = strconv.AppendUint(p.buf, u, 10)
		}
		return
	}
	if negative {
		u = -u
	}
	// How many digits at least.
	prec := 0
	if p.precPresent {
		prec = p.prec
		if prec == 0 && u == 0 {
			p.repeat(blanks, p.wid)
			return
		}
	} else if p.zero && !p.minus && p.widPresent {
		prec = p.wid
		if negative || p.plus || p.space {
			prec-- // room for the sign
		}
	}
	num := strconv.AppendUint(p.scratch[:0], u, base)
	sign, prefix := byte(0), ""
	if negative {
		sign = '-'
	} else if p.plus {
		sign = '+'
	} else if p.space {
		sign = ' '
	}
	if verb == 'O' {
		prefix = "0o"
	}
	if p.sharp {
		switch base {
		case 2:
			prefix += "0b"
		case 8:
			if num[0] != '0' && prec <= len(num) {
				prefix += "0"
			}
		case 16:
			if digits[16] == 'X' {
				prefix += "0X"
			} else {
				prefix += "0x"
			}
		}
	}
	if base == 16 && digits[16] == 'X' {
		for i, c := range num {
			if c >= 'a' {
				num[i] = c - ('a' - 'A')
			}
		}
	}
	n := len(prefix) + max(prec, len(num))
	if sign != 0 {
		n++
	}
	if p.widPresent && !p.minus {
		p.repeat(blanks, p.wid-n)
	}
	if sign != 0 {
		p.buf = append(p.buf, sign)
	}
	p.buf = append(p.buf, prefix...)
	p.repeat(zeros, prec-len(num))
	p.buf = append(p.buf, num...)
	if p.widPresent && p.minus {
		p.repeat(blanks, p.wid-n)
	}
}

// truncate cuts s to the precision, in runes.
func (p *pp) truncate(s string) string {
	if p.precPresent {
		n := p.prec
		for i := range s {
			n--
			if n < 0 {
				return s[:i]
			}
		}
	}
	return s
}

func (p *pp) putS(s string) { p.padString(p.truncate(s)) }

// putHex writes the bytes of s in hexadecimal.
func (p *pp) putHex(s string, digits string) {
	n := len(s)
	if p.precPresent && p.prec < n {
		n = p.prec
	}
	width := 2 * n
	if width == 0 {
		if p.widPresent {
			p.fill(p.wid)
		}
		return
	}
	if p.space {
		if p.sharp {
			width *= 2
		}
		width += n - 1
	} else if p.sharp {
		width += 2
	}
	if p.widPresent && p.wid > width && !p.minus {
		p.fill(p.wid - width)
	}
	b := p.buf
	if p.sharp {
		b = append(b, '0', digits[16])
	}
	for i := 0; i < n; i++ {
		if p.space && i > 0 {
			b = append(b, ' ')
			if p.sharp {
				b = append(b, '0', digits[16])
			}
		}
		c := s[i]
		b = append(b, digits[c>>4], digits[c&15])
	}
	p.buf = b
	if p.widPresent && p.wid > width && p.minus {
		p.fill(p.wid - width)
	}
}

// putQuoted writes s as a string literal.
func (p *pp) putQuoted(s string) {
	s = p.truncate(s)
	if p.sharp && strconv.CanBackquote(s) {
		p.padString("`" + s + "`")
		return
	}
	if p.plus {
		p.pad(strconv.AppendQuoteToASCII(nil, s))
	} else if p.widPresent {
		p.pad(strconv.AppendQuote(nil, s))
	} else {
		p.buf = strconv.AppendQuote(p.buf, s)
	}
}

func codePoint(u uint64) rune {
	if u > utf8.MaxRune {
		return utf8.RuneError
	}
	return rune(u)
}

// putChar writes u as a character.
func (p *pp) putChar(u uint64) {
	if !p.widPresent {
		p.buf = utf8.AppendRune(p.buf, codePoint(u))
	} else {
		p.pad(utf8.AppendRune(nil, codePoint(u)))
	}
}

// putQuotedChar writes u as a character literal.
func (p *pp) putQuotedChar(u uint64) {
	if p.plus {
		p.pad(strconv.AppendQuoteRuneToASCII(nil, codePoint(u)))
	} else {
		p.pad(strconv.AppendQuoteRune(nil, codePoint(u)))
	}
}

// putFloat writes v, a float of size bits, as strconv does for verb, with the
// given precision unless the flags have one.
func (p *pp) putFloat(v float64, size int, verb rune, prec int) {
	if p.precPresent {
		prec = p.prec
	}
	num := strconv.AppendFloat(p.scratch[:1], v, byte(verb), prec, size)
	if num[1] == '-' || num[1] == '+' {
		num = num[1:]
	} else {
		num[0] = '+'
	}
	if p.space && num[0] == '+' && !p.plus {
		num[0] = ' '
	}
	if num[1] == 'I' || num[1] == 'N' {
		if num[1] == 'N' && !p.space && !p.plus {
			num = num[1:]
		}
		p.padSpaces(num)
		return
	}
	if p.sharp && verb != 'b' {
		num = keepPoint(num, verb, prec)
	}
	if !p.plus && num[0] == '+' {
		p.pad(num[1:])
		return
	}
	if p.zero && !p.minus && p.widPresent && p.wid > len(num) {
		// The sign goes before the zeros.
		p.buf = append(p.buf, num[0])
		p.fill(p.wid - len(num))
		p.buf = append(p.buf, num[1:]...)
		return
	}
	p.pad(num)
}

// keepPoint implements the # flag: there is always a decimal point, and %g
// and %x (but not %X) keep trailing zeros. num begins with its sign.
func keepPoint(num []byte, verb rune, prec int) []byte {
	digits := 0 // how many more to show
	switch verb {
	case 'g', 'G', 'x':
		digits = prec
		if digits < 0 {
			digits = 6
		}
	}
	var tail string // the exponent
	point, nonzero := false, false
	for i := 1; i < len(num); i++ {
		c := num[i]
		if c == '.' {
			point = true
			continue
		}
		if c == 'p' || c == 'P' || (c == 'e' || c == 'E') && verb != 'x' && verb != 'X' {
			tail = string(num[i:])
			num = num[:i]
			break
		}
		if c != '0' {
			nonzero = true
		}
		if nonzero {
			digits--
		}
	}
	if !point {
		if len(num) == 2 && num[1] == '0' {
			digits--
		}
		num = append(num, '.')
	}
	for ; digits > 0; digits-- {
		num = append(num, '0')
	}
	return append(num, tail...)
}
