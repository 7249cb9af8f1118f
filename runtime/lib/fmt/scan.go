// SPDX-License-Identifier: MIT

package fmt

import (
	"errors"
	"internal/rt"
	"internal/stdio"
	"io"
	"unicode/utf8"
)

// ScanState is what a Scanner reads from.
type ScanState interface {
	ReadRune() (r rune, size int, err error)
	UnreadRune() error
	SkipSpace()
	Token(skipSpace bool, f func(rune) bool) (token []byte, err error)
	Width() (wid int, ok bool)
	Read(buf []byte) (n int, err error)
}

// Scanner is implemented by values that scan themselves.
type Scanner interface {
	Scan(state ScanState, verb rune) error
}

// Scan reads space-separated values from standard input; newlines are space.
func Scan(a ...any) (n int, err error) { return Fscan(stdio.In{}, a...) }

// Scanln is Scan that ends at a newline.
func Scanln(a ...any) (n int, err error) { return Fscanln(stdio.In{}, a...) }

// Scanf reads values from standard input as the format tells.
func Scanf(format string, a ...any) (n int, err error) {
	return Fscanf(stdio.In{}, format, a...)
}

// Sscan is Scan from a string.
func Sscan(str string, a ...any) (n int, err error) {
	return scan(&textSource{s: str}, true, false, a)
}

// Sscanln is Scanln from a string.
func Sscanln(str string, a ...any) (n int, err error) {
	return scan(&textSource{s: str}, false, true, a)
}

// Sscanf is Scanf from a string.
func Sscanf(str string, format string, a ...any) (n int, err error) {
	return scanf(&textSource{s: str}, format, a)
}

// Fscan is Scan from r.
func Fscan(r io.Reader, a ...any) (n int, err error) {
	return scan(runes(r), true, false, a)
}

// Fscanln is Scanln from r.
func Fscanln(r io.Reader, a ...any) (n int, err error) {
	return scan(runes(r), false, true, a)
}

// Fscanf is Scanf from r.
func Fscanf(r io.Reader, format string, a ...any) (n int, err error) {
	return scanf(runes(r), format, a)
}

// textSource reads the runes of a string.
type textSource struct {
	s    string
	i    int
	last int // length of the last rune
}

func (t *textSource) ReadRune() (r rune, size int, err error) {
	if t.i >= len(t.s) {
		t.last = 0
		return 0, 0, io.EOF
	}
	r, size = rune(t.s[t.i]), 1
	if r >= utf8.RuneSelf {
		r, size = utf8.DecodeRuneInString(t.s[t.i:])
	}
	t.i += size
	t.last = size
	return
}

func (t *textSource) UnreadRune() error {
	t.i -= t.last
	t.last = 0
	return nil
}

// runes reads runes from r, one byte at a time if it must.
func runes(r io.Reader) io.RuneScanner {
	if rs, ok := r.(io.RuneScanner); ok {
		return rs
	}
	return &byteSource{r: r}
}

// byteSource reads runes from a reader of bytes, without reading too far.
type byteSource struct {
	r    io.Reader
	buf  [utf8.UTFMax]byte
	n    int // bytes in buf that were read but belong to the next rune
	last rune
	size int
	back bool // last is to be read again
}

func (b *byteSource) ReadRune() (r rune, size int, err error) {
	if b.back {
		b.back = false
		return b.last, b.size, nil
	}
	for b.n == 0 || !utf8.FullRune(b.buf[:b.n]) {
		k, err := io.ReadFull(b.r, b.buf[b.n:b.n+1])
		b.n += k
		if err == nil {
			continue
		}
		if b.n == 0 || err != io.EOF {
			return 0, 0, err
		}
		break
	}
	b.last, b.size = utf8.DecodeRune(b.buf[:b.n])
	copy(b.buf[:], b.buf[b.size:b.n])
	b.n -= b.size
	return b.last, b.size, nil
}

func (b *byteSource) UnreadRune() error {
	if b.back {
		return errors.New("fmt: scanning called UnreadRune with no rune available")
	}
	b.back = true
	return nil
}

// scanError carries an error from deep inside a scan to its beginning.
type scanError struct{ err error }

const (
	eof     = -1
	endless = 1 << 30 // a width without limit
)

// ss is the state of a scan.
type ss struct {
	src       io.RuneScanner
	buf       []byte // the token so far
	count     int    // runes read
	limit     int    // count at which the current operand's width ends
	width     int    // of the current operand
	atEOF     bool
	nlIsSpace bool
	nlIsEnd   bool
}

// begin runs f and returns the error that it failed with.
func (s *ss) begin(f func()) (err error) {
	defer func() {
		if e := recover(); e != nil {
			se, ok := e.(scanError)
			if !ok {
				panic(e)
			}
			err = se.err
		}
	}()
	f()
	return nil
}

func (s *ss) fail(err error) { panic(scanError{err}) }

func (s *ss) failText(text string) { panic(scanError{errors.New(text)}) }

func (s *ss) Read(buf []byte) (n int, err error) {
	return 0, errors.New("ScanState's Read should not be called. Use ReadRune")
}

func (s *ss) ReadRune() (r rune, size int, err error) {
	if s.atEOF || s.count >= s.limit {
		return 0, 0, io.EOF
	}
	r, size, err = s.src.ReadRune()
	if err == nil {
		s.count++
		if s.nlIsEnd && r == '\n' {
			s.atEOF = true
		}
	} else if err == io.EOF {
		s.atEOF = true
	}
	return
}

func (s *ss) UnreadRune() error {
	s.src.UnreadRune()
	s.atEOF = false
	s.count--
	return nil
}

func (s *ss) Width() (wid int, ok bool) {
	if s.width == endless {
		return 0, false
	}
	return s.width, true
}

func (s *ss) Token(skipSpace bool, f func(rune) bool) (tok []byte, err error) {
	err = s.begin(func() {
		if f == nil {
			f = notSpace
		}
		s.buf = s.buf[:0]
		tok = s.token(skipSpace, f)
	})
	return
}

func isSpace(r rune) bool {
	switch {
	case r <= ' ':
		return r == ' ' || '\t' <= r && r <= '\r'
	case r < 0x1680:
		return r == 0x85 || r == 0xa0
	case r <= 0x200a:
		return r >= 0x2000 || r == 0x1680
	}
	return r == 0x2028 || r == 0x2029 || r == 0x202f || r == 0x205f || r == 0x3000
}

func notSpace(r rune) bool { return !isSpace(r) }

// next reads a rune; eof at the end of the input or of the width.
func (s *ss) next() rune {
	r, _, err := s.ReadRune()
	if err != nil {
		if err == io.EOF {
			return eof
		}
		s.fail(err)
	}
	return r
}

// need is next where there must be more.
func (s *ss) need() rune {
	r := s.next()
	if r == eof {
		s.fail(io.ErrUnexpectedEOF)
	}
	return r
}

// notEOF fails if nothing is left for the current operand.
func (s *ss) notEOF() {
	if s.next() == eof {
		s.fail(io.EOF)
	}
	s.UnreadRune()
}

func contains(set string, r rune) bool {
	for _, c := range set {
		if c == r {
			return true
		}
	}
	return false
}

// peek reports whether the next rune is in set.
func (s *ss) peek(set string) bool {
	r := s.next()
	if r != eof {
		s.UnreadRune()
	}
	return contains(set, r)
}

// takes reads the next rune, and reports whether it is r.
func (s *ss) takes(r rune) bool { return s.next() == r }

// accept reads the next rune into the token if it is in set.
func (s *ss) accept(set string) bool {
	r := s.next()
	if r == eof {
		return false
	}
	if contains(set, r) {
		s.buf = utf8.AppendRune(s.buf, r)
		return true
	}
	s.UnreadRune()
	return false
}

func (s *ss) acceptAll(set string) {
	for s.accept(set) {
	}
}

func (s *ss) SkipSpace() {
	for {
		r := s.next()
		switch {
		case r == eof:
			return
		case r == '\r' && s.peek("\n"):
		case r == '\n':
			if !s.nlIsSpace {
				s.failText("unexpected newline")
			}
		case !isSpace(r):
			s.UnreadRune()
			return
		}
	}
}

// token reads runes as long as f holds.
func (s *ss) token(skipSpace bool, f func(rune) bool) []byte {
	if skipSpace {
		s.SkipSpace()
	}
	for {
		r := s.next()
		if r == eof {
			break
		}
		if !f(r) {
			s.UnreadRune()
			break
		}
		s.buf = utf8.AppendRune(s.buf, r)
	}
	return s.buf
}

// scan scans all operands without a format.
func scan(src io.RuneScanner, nlIsSpace, nlIsEnd bool, a []any) (n int, err error) {
	s := &ss{src: src, limit: endless, width: endless, nlIsSpace: nlIsSpace, nlIsEnd: nlIsEnd}
	err = s.begin(func() {
		for _, arg := range a {
			s.scanOne('v', arg)
			n++
		}
		for nlIsEnd {
			r := s.next()
			if r == '\n' || r == eof {
				break
			}
			if !isSpace(r) {
				s.failText("expected newline")
			}
		}
	})
	return
}

func scanf(src io.RuneScanner, format string, a []any) (n int, err error) {
	s := &ss{src: src, limit: endless, width: endless}
	err = s.begin(func() { s.scanf(format, a, &n) })
	return
}

func (s *ss) scanf(format string, a []any, done *int) {
	for len(format) > 0 {
		rest, ok := s.matchText(format)
		if !ok {
			if format[0] != '%' {
				s.failText("input does not match format")
			}
			rest = format // %% after all: let the verb complain
		}
		if rest == "" {
			break
		}
		// rest begins with a verb.
		wid, present, i := parseNumber(rest, 1, len(rest)-1)
		s.width = endless
		if present {
			s.width = wid
		}
		verb, w := utf8.DecodeRuneInString(rest[i:])
		format = rest[i+w:]
		if verb != 'c' {
			s.SkipSpace()
		}
		if verb == '%' {
			s.SkipSpace()
			s.notEOF()
			if !s.accept("%") {
				s.failText("missing literal %")
			}
			continue
		}
		if *done >= len(a) {
			s.failText("too few operands for format '%" + rest[i:] + "'")
		}
		if s.count+s.width < endless {
			s.limit = s.count + s.width
		}
		s.scanOne(verb, a[*done])
		*done++
		s.limit = endless
	}
	if *done < len(a) {
		s.failText("too many operands")
	}
}

// matchText matches the beginning of format up to the next verb against the
// input, and returns what follows.
func (s *ss) matchText(format string) (rest string, ok bool) {
	for len(format) > 0 {
		c, w := utf8.DecodeRuneInString(format)
		if isSpace(c) {
			format = s.matchSpace(format)
			continue
		}
		if c == '%' {
			if w == len(format) {
				s.failText("missing verb: % at end of format string")
			}
			if format[w] != '%' {
				return format, true
			}
			format = format[w:]
		}
		if s.need() != c {
			s.UnreadRune()
			return format, false
		}
		format = format[w:]
	}
	return "", true
}

// matchSpace matches a run of spaces in the format: each newline stands for
// optional spaces and a newline (or the end of the input), spaces after the
// last newline for any spaces, spaces alone for at least one.
func (s *ss) matchSpace(format string) string {
	newlines, trailing := 0, false
	for len(format) > 0 {
		c, w := utf8.DecodeRuneInString(format)
		if !isSpace(c) {
			break
		}
		trailing = c != '\n'
		if !trailing {
			newlines++
		}
		format = format[w:]
	}
	for i := 0; i < newlines; i++ {
		r := s.next()
		for isSpace(r) && r != '\n' {
			r = s.next()
		}
		if r != '\n' && r != eof {
			s.failText("newline in format does not match input")
		}
	}
	if !trailing {
		return format
	}
	r := s.next()
	if newlines == 0 {
		if !isSpace(r) && r != eof {
			s.failText("expected space in input to match format")
		}
		if r == '\n' {
			s.failText("newline in input does not match format")
		}
	}
	for isSpace(r) && r != '\n' {
		r = s.next()
	}
	if r != eof {
		s.UnreadRune()
	}
	return format
}

// scanOne scans one operand.
func (s *ss) scanOne(verb rune, arg any) {
	s.buf = s.buf[:0]
	if v, ok := arg.(Scanner); ok {
		if err := v.Scan(s, verb); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			s.fail(err)
		}
		return
	}
	switch v := arg.(type) {
	case *int:
		*v = int(s.scanInt(verb, 64))
		return
	case *string:
		*v = s.scanString(verb)
		return
	}
	pt := rt.TypeOf(arg)
	if rt.KindOf(pt) != rt.Pointer {
		text := "<nil>"
		if pt != nil {
			text = rt.TypeString(pt)
		}
		s.failText("type not a pointer: " + text)
	}
	s.scanInto(verb, pt, arg)
}
