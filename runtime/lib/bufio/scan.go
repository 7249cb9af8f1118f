// SPDX-License-Identifier: MIT

package bufio

import (
	"errors"
	"io"
	"unicode/utf8"
)

// Scanner reads tokens, such as lines; data[start:end] is not yet split.
type Scanner struct {
	r        io.Reader
	split    SplitFunc
	max      int
	token    []byte
	buf      []byte
	start    int
	end      int
	err      error
	empties  int
	scanning bool
	done     bool
}

// SplitFunc finds the next token in data: by how much to advance, and the
// token, nil if more data is needed.
type SplitFunc func(data []byte, atEOF bool) (advance int, token []byte, err error)

// Errors of a Scanner.
var (
	ErrTooLong         = errors.New("bufio.Scanner: token too long")
	ErrNegativeAdvance = errors.New("bufio.Scanner: SplitFunc returns negative advance count")
	ErrAdvanceTooFar   = errors.New("bufio.Scanner: SplitFunc returns advance count beyond input")
	ErrBadReadCount    = errors.New("bufio.Scanner: Read returned impossible count")
)

// ErrFinalToken is returned by a SplitFunc to deliver a last token.
var ErrFinalToken = errors.New("final token")

// MaxScanTokenSize is the longest token, unless Buffer says otherwise.
const MaxScanTokenSize = 64 * 1024

const startBufSize = 4096

// NewScanner returns a scanner of r that splits lines.
func NewScanner(r io.Reader) *Scanner {
	return &Scanner{r: r, split: ScanLines, max: MaxScanTokenSize}
}

// Err is the first error that was not EOF.
func (s *Scanner) Err() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

// Bytes is the last token, valid until the next Scan.
func (s *Scanner) Bytes() []byte { return s.token }

// Text is the last token.
func (s *Scanner) Text() string { return string(s.token) }

// Scan finds the next token; false at the end of the input or at an error.
func (s *Scanner) Scan() bool {
	if s.done {
		return false
	}
	s.scanning = true
	for {
		if s.end > s.start || s.err != nil {
			advance, token, err := s.split(s.buf[s.start:s.end], s.err != nil)
			if err != nil {
				if err == ErrFinalToken {
					s.token = token
					s.done = true
					return token != nil
				}
				s.setErr(err)
				return false
			}
			if !s.advance(advance) {
				return false
			}
			s.token = token
			if token != nil {
				if s.err == nil || advance > 0 {
					s.empties = 0
				} else if s.empties++; s.empties > maxEmpty {
					panic("bufio.Scan: too many empty tokens without progressing")
				}
				return true
			}
		}
		if s.err != nil {
			s.start, s.end = 0, 0
			return false
		}
		if !s.room() {
			return false
		}
		s.read()
	}
}

// room makes room for more data.
func (s *Scanner) room() bool {
	if s.start > 0 && (s.end == len(s.buf) || s.start > len(s.buf)/2) {
		copy(s.buf, s.buf[s.start:s.end])
		s.end -= s.start
		s.start = 0
	}
	if s.end < len(s.buf) {
		return true
	}
	if len(s.buf) >= s.max || len(s.buf) > 1<<62 {
		s.setErr(ErrTooLong)
		return false
	}
	size := len(s.buf) * 2
	if size == 0 {
		size = startBufSize
	}
	if size > s.max {
		size = s.max
	}
	buf := make([]byte, size)
	copy(buf, s.buf[s.start:s.end])
	s.buf = buf
	s.end -= s.start
	s.start = 0
	return true
}

// read reads once more, or until there is an error.
func (s *Scanner) read() {
	for tries := 0; ; {
		n, err := s.r.Read(s.buf[s.end:])
		if n < 0 || n > len(s.buf)-s.end {
			s.setErr(ErrBadReadCount)
			return
		}
		s.end += n
		if err != nil {
			s.setErr(err)
			return
		}
		if n > 0 {
			s.empties = 0
			return
		}
		if tries++; tries > maxEmpty {
			s.setErr(io.ErrNoProgress)
			return
		}
	}
}

func (s *Scanner) advance(n int) bool {
	if n < 0 {
		s.setErr(ErrNegativeAdvance)
		return false
	}
	if n > s.end-s.start {
		s.setErr(ErrAdvanceTooFar)
		return false
	}
	s.start += n
	return true
}

func (s *Scanner) setErr(err error) {
	if s.err == nil || s.err == io.EOF {
		s.err = err
	}
}

// Buffer sets the buffer to begin with, and the longest token.
func (s *Scanner) Buffer(buf []byte, max int) {
	if s.scanning {
		panic("Buffer called after Scan")
	}
	s.buf = buf[0:cap(buf)]
	s.max = max
}

// Split sets the split function.
func (s *Scanner) Split(split SplitFunc) {
	if s.scanning {
		panic("Split called after Scan")
	}
	s.split = split
}

// ScanBytes splits into bytes.
func ScanBytes(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if len(data) == 0 {
		return 0, nil, nil
	}
	return 1, data[:1], nil
}

// ScanRunes splits into UTF-8 characters; a wrong byte gives U+FFFD.
func ScanRunes(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if len(data) == 0 {
		return 0, nil, nil
	}
	if data[0] < utf8.RuneSelf {
		return 1, data[:1], nil
	}
	if _, n := utf8.DecodeRune(data); n > 1 {
		return n, data[:n], nil
	}
	if !atEOF && !utf8.FullRune(data) {
		return 0, nil, nil
	}
	return 1, []byte(string(utf8.RuneError)), nil
}

// ScanLines splits into lines, without \n or \r\n.
func ScanLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	n := len(data)
	if n == 0 {
		return 0, nil, nil
	}
	if i := indexByte(data, '\n'); i >= 0 {
		n, advance = i, i+1
	} else if atEOF {
		advance = n
	} else {
		return 0, nil, nil
	}
	if n > 0 && data[n-1] == '\r' {
		n--
	}
	return advance, data[:n], nil
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

// ScanWords splits at white space.
func ScanWords(data []byte, atEOF bool) (advance int, token []byte, err error) {
	start := 0
	for start < len(data) {
		r, n := rune(data[start]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(data[start:])
		}
		if !isSpace(r) {
			break
		}
		start += n
	}
	for i := start; i < len(data); {
		r, n := rune(data[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(data[i:])
		}
		if isSpace(r) {
			return i + n, data[start:i], nil
		}
		i += n
	}
	if atEOF && len(data) > start {
		return len(data), data[start:], nil
	}
	return start, nil, nil
}
