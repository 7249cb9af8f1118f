// SPDX-License-Identifier: MIT

package fmt

import (
	"internal/rt"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

const (
	binary  = "01"
	octal   = "01234567"
	decimal = "0123456789"
	hex     = "0123456789aAbBcCdDeEfF"

	floatVerbs = "beEfFgGv"
)

// scanInto scans a value for the variable that arg, of the pointer type pt,
// points to.
func (s *ss) scanInto(verb rune, pt rt.Type, arg any) {
	t := rt.Elem(pt)
	dst := *(*unsafe.Pointer)(rt.Addr(arg))
	kind := rt.KindOf(t)
	switch kind {
	case rt.Bool:
		*(*bool)(dst) = s.scanBool(verb)
	case rt.Int, rt.Int8, rt.Int16, rt.Int32, rt.Int64:
		rt.Store(kind, dst, uint64(s.scanInt(verb, rt.Bits(kind))))
	case rt.Uint, rt.Uint8, rt.Uint16, rt.Uint32, rt.Uint64, rt.Uintptr:
		rt.Store(kind, dst, s.scanUint(verb, rt.Bits(kind)))
	case rt.String:
		*(*string)(dst) = s.scanString(verb)
	case rt.Float32:
		*(*float32)(dst) = float32(s.scanFloat(verb, 32))
	case rt.Float64:
		*(*float64)(dst) = s.scanFloat(verb, 64)
	case rt.Complex64:
		*(*complex64)(dst) = complex64(s.scanComplex(verb, 64))
	case rt.Complex128:
		*(*complex128)(dst) = s.scanComplex(verb, 128)
	case rt.Slice:
		if rt.KindOf(rt.Elem(t)) == rt.Uint8 {
			*(*[]byte)(dst) = []byte(s.scanString(verb))
			return
		}
		fallthrough
	default:
		s.failText("can't scan type: " + rt.TypeString(pt))
	}
}

func (s *ss) checkVerb(verb rune, good, what string) {
	if !contains(good, verb) {
		s.failText("bad verb '%" + string(verb) + "' for " + what)
	}
}

func (s *ss) scanBool(verb rune) bool {
	s.SkipSpace()
	s.notEOF()
	s.checkVerb(verb, "tv", "boolean")
	ok := true
	value := false
	switch s.next() {
	case '1':
		value = true
	case 't', 'T':
		value = true
		ok = !s.accept("rR") || s.accept("uU") && s.accept("eE")
	case 'f', 'F':
		ok = !s.accept("aA") || s.accept("lL") && s.accept("sS") && s.accept("eE")
	}
	if !ok {
		s.failText("syntax error scanning boolean")
	}
	return value
}

// base returns the base of a verb and its digits.
func (s *ss) base(verb rune) (base int, digits string) {
	s.checkVerb(verb, "bdoUxXv", "integer")
	switch verb {
	case 'b':
		return 2, binary
	case 'o':
		return 8, octal
	case 'x', 'X', 'U':
		return 16, hex
	}
	return 10, decimal
}

// prefix reads a base prefix for %v; found if it read a zero.
func (s *ss) prefix() (digits string, found bool) {
	if !s.accept("0") {
		return decimal + "_", false
	}
	switch {
	case s.accept("bB"):
		return binary + "_", true
	case s.accept("oO"):
		return octal + "_", true
	case s.accept("xX"):
		return hex + "_", true
	}
	return octal + "_", true
}

// number reads the digits of an integer after its sign, and returns all.
func (s *ss) number(verb rune, base int, digits string) (string, int) {
	found := false
	if verb == 'v' {
		digits, found = s.prefix()
		base = 0
	}
	if !found {
		s.notEOF()
		if !s.accept(digits) {
			s.failText("expected integer")
		}
	}
	s.acceptAll(digits)
	return string(s.buf), base
}

// integer reads an integer's text.
func (s *ss) integer(verb rune, signed bool) (tok string, base int) {
	s.SkipSpace()
	s.notEOF()
	base, digits := s.base(verb)
	if verb == 'U' {
		if !s.takes('U') || !s.takes('+') {
			s.failText("bad unicode format ")
		}
	} else if signed {
		s.accept("+-")
	}
	return s.number(verb, base, digits)
}

// scanRune reads one character that fits in so many bits.
func (s *ss) scanRune(bits int) int64 {
	s.notEOF()
	r := s.next()
	x := int64(r) << (64 - uint(bits)) >> (64 - uint(bits))
	if x != int64(r) {
		s.failText("overflow on character value " + string(r))
	}
	return int64(r)
}

func (s *ss) scanInt(verb rune, bits int) int64 {
	if verb == 'c' {
		return s.scanRune(bits)
	}
	tok, base := s.integer(verb, true)
	i, err := strconv.ParseInt(tok, base, 64)
	if err != nil {
		s.fail(err)
	}
	if x := i << (64 - uint(bits)) >> (64 - uint(bits)); x != i {
		s.failText("integer overflow on token " + tok)
	}
	return i
}

func (s *ss) scanUint(verb rune, bits int) uint64 {
	if verb == 'c' {
		return uint64(s.scanRune(bits))
	}
	tok, base := s.integer(verb, false)
	u, err := strconv.ParseUint(tok, base, 64)
	if err != nil {
		s.fail(err)
	}
	if x := u << (64 - uint(bits)) >> (64 - uint(bits)); x != u {
		s.failText("unsigned integer overflow on token " + tok)
	}
	return u
}

// floatToken reads the text of a float.
func (s *ss) floatToken() string {
	s.buf = s.buf[:0]
	if s.accept("nN") && s.accept("aA") && s.accept("nN") {
		return string(s.buf)
	}
	s.accept("+-")
	if s.accept("iI") && s.accept("nN") && s.accept("fF") {
		return string(s.buf)
	}
	digits, exp := decimal+"_", "eEpP"
	if s.accept("0") && s.accept("xX") {
		digits, exp = hex+"_", "pP"
	}
	s.acceptAll(digits)
	if s.accept(".") {
		s.acceptAll(digits)
	}
	if s.accept(exp) {
		s.accept("+-")
		s.acceptAll(decimal + "_")
	}
	return string(s.buf)
}

// parseFloat converts a token; a binary exponent may follow decimal digits.
func (s *ss) parseFloat(tok string, bits int) float64 {
	p := -1
	for i := 0; i < len(tok); i++ {
		if tok[i] == 'p' && p < 0 {
			p = i
		}
		if tok[i] == 'x' || tok[i] == 'X' {
			p = len(tok)
		}
	}
	if p < 0 || p >= len(tok) {
		f, err := strconv.ParseFloat(tok, bits)
		if err != nil {
			s.fail(err)
		}
		return f
	}
	f, err := strconv.ParseFloat(tok[:p], bits)
	if err != nil {
		if e, ok := err.(*strconv.NumError); ok {
			e.Num = tok
		}
		s.fail(err)
	}
	m, err := strconv.Atoi(tok[p+1:])
	if err != nil {
		if e, ok := err.(*strconv.NumError); ok {
			e.Num = tok
		}
		s.fail(err)
	}
	for ; m > 0 && m < 5000; m-- {
		f *= 2
	}
	for ; m < 0 && m > -5000; m++ {
		f /= 2
	}
	if m > 0 {
		f *= 1e308
		f *= 1e308
	} else if m < 0 {
		f = 0
	}
	return f
}

func (s *ss) scanFloat(verb rune, bits int) float64 {
	what := "float64"
	if bits == 32 {
		what = "float32"
	}
	s.checkVerb(verb, floatVerbs, what)
	s.SkipSpace()
	s.notEOF()
	return s.parseFloat(s.floatToken(), bits)
}

func (s *ss) scanComplex(verb rune, bits int) complex128 {
	const bad = "syntax error scanning complex number"
	s.checkVerb(verb, floatVerbs, "complex")
	s.SkipSpace()
	s.notEOF()
	paren := s.accept("(")
	re := s.floatToken()
	s.buf = s.buf[:0]
	if !s.accept("+-") {
		s.failText(bad)
	}
	sign := string(s.buf)
	im := s.floatToken()
	if !s.accept("i") || paren && !s.accept(")") {
		s.failText(bad)
	}
	return complex(s.parseFloat(re, bits/2), s.parseFloat(sign+im, bits/2))
}

func (s *ss) scanString(verb rune) string {
	s.checkVerb(verb, "svqxX", "string")
	s.SkipSpace()
	s.notEOF()
	switch verb {
	case 'q':
		return s.scanQuoted()
	case 'x', 'X':
		return s.scanHex()
	}
	return string(s.token(true, notSpace))
}

func (s *ss) scanQuoted() string {
	quote := s.need()
	switch quote {
	case '`':
		for {
			r := s.need()
			if r == quote {
				return string(s.buf)
			}
			s.buf = utf8.AppendRune(s.buf, r)
		}
	case '"':
		s.buf = append(s.buf, '"')
		for {
			r := s.need()
			s.buf = utf8.AppendRune(s.buf, r)
			if r == '"' {
				break
			}
			if r == '\\' {
				s.buf = utf8.AppendRune(s.buf, s.need())
			}
		}
		text, err := strconv.Unquote(string(s.buf))
		if err != nil {
			s.fail(err)
		}
		return text
	}
	s.failText("expected quoted string")
	return ""
}

func hexValue(r rune) int {
	switch {
	case '0' <= r && r <= '9':
		return int(r - '0')
	case 'a' <= r && r <= 'f':
		return int(r-'a') + 10
	case 'A' <= r && r <= 'F':
		return int(r-'A') + 10
	}
	return -1
}

// scanHex reads pairs of hexadecimal digits.
func (s *ss) scanHex() string {
	for {
		r := s.next()
		if r == eof {
			break
		}
		hi := hexValue(r)
		if hi < 0 {
			s.UnreadRune()
			break
		}
		lo := hexValue(s.need())
		if lo < 0 {
			s.failText("illegal hex digit")
		}
		s.buf = append(s.buf, byte(hi<<4|lo))
	}
	if len(s.buf) == 0 {
		s.failText("no hex data for %x string")
	}
	return string(s.buf)
}
