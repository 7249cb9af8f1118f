// SPDX-License-Identifier: MIT

package strconv

import "unicode/utf8"

// How the natives escape (enum quote_mode).
const (
	modePrint = iota
	modeASCII
	modeGraphic
)

// Quote writes s as a Go string literal.
func Quote(s string) string { return string(appendQuote(nil, s, modePrint)) }

// AppendQuote appends Quote(s) to dst.
func AppendQuote(dst []byte, s string) []byte { return appendQuote(dst, s, modePrint) }

// QuoteToASCII is Quote with escapes for everything that is not ASCII.
func QuoteToASCII(s string) string { return string(appendQuote(nil, s, modeASCII)) }

// AppendQuoteToASCII appends QuoteToASCII(s) to dst.
func AppendQuoteToASCII(dst []byte, s string) []byte { return appendQuote(dst, s, modeASCII) }

// QuoteToGraphic is Quote that leaves Unicode graphic characters alone.
func QuoteToGraphic(s string) string { return string(appendQuote(nil, s, modeGraphic)) }

// AppendQuoteToGraphic appends QuoteToGraphic(s) to dst.
func AppendQuoteToGraphic(dst []byte, s string) []byte { return appendQuote(dst, s, modeGraphic) }

// QuoteRune writes r as a Go character literal.
func QuoteRune(r rune) string { return string(appendQuoteRune(nil, r, modePrint)) }

// AppendQuoteRune appends QuoteRune(r) to dst.
func AppendQuoteRune(dst []byte, r rune) []byte { return appendQuoteRune(dst, r, modePrint) }

// QuoteRuneToASCII is QuoteRune with escapes for what is not ASCII.
func QuoteRuneToASCII(r rune) string { return string(appendQuoteRune(nil, r, modeASCII)) }

// AppendQuoteRuneToASCII appends QuoteRuneToASCII(r) to dst.
func AppendQuoteRuneToASCII(dst []byte, r rune) []byte {
	return appendQuoteRune(dst, r, modeASCII)
}

// QuoteRuneToGraphic is QuoteRune that leaves graphic characters alone.
func QuoteRuneToGraphic(r rune) string { return string(appendQuoteRune(nil, r, modeGraphic)) }

// AppendQuoteRuneToGraphic appends QuoteRuneToGraphic(r) to dst.
func AppendQuoteRuneToGraphic(dst []byte, r rune) []byte {
	return appendQuoteRune(dst, r, modeGraphic)
}

// CanBackquote reports whether s can be a raw string literal of one line.
func CanBackquote(s string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\t' || c == '`' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if n == 1 || r == '\ufeff' {
			return false
		}
		i += n
	}
	return true
}

func hexDigit(c byte) (rune, bool) {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0'), true
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10, true
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10, true
	}
	return 0, false
}

// UnquoteChar decodes the first character or escape of s, the inside of a
// literal whose quotation mark is quote (0: neither mark needs an escape).
func UnquoteChar(s string, quote byte) (value rune, multibyte bool, tail string, err error) {
	if len(s) == 0 {
		err = ErrSyntax
		return
	}
	c := s[0]
	if c == quote && (quote == '\'' || quote == '"') {
		err = ErrSyntax
		return
	}
	if c >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(s)
		return r, true, s[n:], nil
	}
	if c != '\\' {
		return rune(c), false, s[1:], nil
	}
	if len(s) < 2 {
		err = ErrSyntax
		return
	}
	c, s = s[1], s[2:]
	digits := 0
	switch c {
	case 'a':
		value = '\a'
	case 'b':
		value = '\b'
	case 'f':
		value = '\f'
	case 'n':
		value = '\n'
	case 'r':
		value = '\r'
	case 't':
		value = '\t'
	case 'v':
		value = '\v'
	case '\\':
		value = '\\'
	case '\'', '"':
		if c != quote {
			err = ErrSyntax
			return
		}
		value = rune(c)
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case '0', '1', '2', '3', '4', '5', '6', '7':
		value = rune(c - '0')
		if len(s) < 2 {
			err = ErrSyntax
			return
		}
		for i := 0; i < 2; i++ {
			d := rune(s[i]) - '0'
			if d < 0 || d > 7 {
				err = ErrSyntax
				return
			}
			value = value<<3 | d
		}
		s = s[2:]
		if value > 255 {
			err = ErrSyntax
			return
		}
	default:
		err = ErrSyntax
		return
	}
	if digits > 0 {
		if len(s) < digits {
			err = ErrSyntax
			return
		}
		for i := 0; i < digits; i++ {
			d, ok := hexDigit(s[i])
			if !ok {
				err = ErrSyntax
				return
			}
			value = value<<4 | d
		}
		s = s[digits:]
		if c != 'x' {
			if !utf8.ValidRune(value) {
				err = ErrSyntax
				return
			}
			multibyte = true
		}
	}
	return value, multibyte, s, nil
}

// QuotedPrefix returns the quoted string at the start of s.
func QuotedPrefix(s string) (string, error) {
	n, _, ok := unquote(s, false)
	if !ok {
		return "", ErrSyntax
	}
	return s[:n], nil
}

// Unquote returns the string that the literal s stands for.
func Unquote(s string) (string, error) {
	n, text, ok := unquote(s, true)
	if !ok || n != len(s) {
		return "", ErrSyntax
	}
	return text, nil
}

// unquote finds the literal at the start of s: its length and, if wanted, its
// value.
func unquote(s string, want bool) (n int, text string, ok bool) {
	if len(s) < 2 {
		return 0, "", false
	}
	quote := s[0]
	end := -1
	for i := 1; i < len(s); i++ {
		if s[i] == quote {
			end = i
			break
		}
	}
	if end < 0 {
		return 0, "", false
	}
	switch quote {
	case '`':
		n = end + 1
		if !want {
			return n, "", true
		}
		text = s[1:end]
		for i := 0; i < len(text); i++ {
			if text[i] == '\r' {
				b := make([]byte, 0, len(text))
				for k := 0; k < len(text); k++ {
					if text[k] != '\r' {
						b = append(b, text[k])
					}
				}
				return n, string(b), true
			}
		}
		return n, text, true
	case '"', '\'':
	default:
		return 0, "", false
	}
	rest := s[1:]
	var buf []byte
	plain := quote == '"'
	for i := 1; plain && i < end; i++ {
		if s[i] == '\\' || s[i] == '\n' || s[i] >= utf8.RuneSelf {
			plain = false
		}
	}
	if plain {
		return end + 1, s[1:end], true
	}
	for len(rest) > 0 && rest[0] != quote {
		if rest[0] == '\n' {
			return 0, "", false
		}
		r, multibyte, tail, err := UnquoteChar(rest, quote)
		if err != nil {
			return 0, "", false
		}
		rest = tail
		if want {
			if r < utf8.RuneSelf || !multibyte {
				buf = append(buf, byte(r))
			} else {
				buf = utf8.AppendRune(buf, r)
			}
		}
		if quote == '\'' {
			break
		}
	}
	if len(rest) == 0 || rest[0] != quote {
		return 0, "", false
	}
	return len(s) - len(rest) + 1, string(buf), true
}

// IsPrint reports whether Go calls r printable: letters, marks, numbers,
// punctuation, symbols and the ASCII space.
func IsPrint(r rune) bool { return isPrint(r) }

// IsGraphic reports whether Unicode calls r graphic: printable, or a space.
func IsGraphic(r rune) bool { return isGraphic(r) }
