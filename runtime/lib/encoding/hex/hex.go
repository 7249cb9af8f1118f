// SPDX-License-Identifier: MIT

// Package hex writes bytes as hexadecimal digits and reads them back.
package hex

import (
	"errors"
	"fmt"
	"io"
)

const digits = "0123456789abcdef"

// ErrLength says that there was an odd number of digits.
var ErrLength = errors.New("encoding/hex: odd length hex string")

// An InvalidByteError is a byte that is not a digit.
type InvalidByteError byte

func (e InvalidByteError) Error() string {
	return fmt.Sprintf("encoding/hex: invalid byte: %#U", rune(e))
}

// EncodedLen is the number of digits of n bytes.
func EncodedLen(n int) int { return n * 2 }

// DecodedLen is the number of bytes in x digits.
func DecodedLen(x int) int { return x / 2 }

// Encode writes the digits of src to dst and returns their number.
func Encode(dst, src []byte) int {
	for i, c := range src {
		dst[2*i] = digits[c>>4]
		dst[2*i+1] = digits[c&15]
	}
	return len(src) * 2
}

// AppendEncode appends the digits of src.
func AppendEncode(dst, src []byte) []byte {
	for _, c := range src {
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return dst
}

// EncodeToString is the digits of src.
func EncodeToString(src []byte) string {
	return string(AppendEncode(make([]byte, 0, 2*len(src)), src))
}

// value is the value of a digit, -1 if c is none.
func value(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// Decode writes the bytes of the digits in src to dst and returns their
// number; those before an error count.
func Decode(dst, src []byte) (int, error) {
	n := 0
	for ; 2*n+1 < len(src); n++ {
		hi := value(src[2*n])
		if hi < 0 {
			return n, InvalidByteError(src[2*n])
		}
		lo := value(src[2*n+1])
		if lo < 0 {
			return n, InvalidByteError(src[2*n+1])
		}
		dst[n] = byte(hi<<4 | lo)
	}
	if len(src)%2 == 1 {
		if c := src[len(src)-1]; value(c) < 0 {
			return n, InvalidByteError(c)
		}
		return n, ErrLength
	}
	return n, nil
}

// AppendDecode appends the bytes of the digits in src.
func AppendDecode(dst, src []byte) ([]byte, error) {
	b := make([]byte, len(src)/2)
	n, err := Decode(b, src)
	return append(dst, b[:n]...), err
}

// DecodeString is the bytes of the digits in s.
func DecodeString(s string) ([]byte, error) {
	b := make([]byte, len(s)/2)
	n, err := Decode(b, []byte(s))
	return b[:n], err
}

type encoder struct {
	w   io.Writer
	err error
	buf [1024]byte
}

// NewEncoder returns a Writer that writes digits to w.
func NewEncoder(w io.Writer) io.Writer { return &encoder{w: w} }

func (e *encoder) Write(p []byte) (n int, err error) {
	for len(p) > 0 && e.err == nil {
		part := p[:min(len(p), len(e.buf)/2)]
		k := Encode(e.buf[:], part)
		k, e.err = e.w.Write(e.buf[:k])
		n += k / 2
		p = p[len(part):]
	}
	return n, e.err
}

type decoder struct {
	r   io.Reader
	err error
	in  []byte // read and not decoded, in buf
	buf [1024]byte
}

// NewDecoder returns a Reader of the bytes whose digits are in r.
func NewDecoder(r io.Reader) io.Reader { return &decoder{r: r} }

func (d *decoder) Read(p []byte) (n int, err error) {
	if len(d.in) < 2 && d.err == nil {
		kept := copy(d.buf[:], d.in)
		var k int
		k, d.err = d.r.Read(d.buf[kept:])
		d.in = d.buf[:kept+k]
		if d.err == io.EOF && len(d.in)%2 != 0 {
			d.err = io.ErrUnexpectedEOF
			if c := d.in[len(d.in)-1]; value(c) < 0 {
				d.err = InvalidByteError(c)
			}
		}
	}
	if len(p) > len(d.in)/2 {
		p = p[:len(d.in)/2]
	}
	n, err = Decode(p, d.in[:2*len(p)])
	d.in = d.in[2*n:]
	if err != nil {
		d.in, d.err = nil, err
	}
	if len(d.in) < 2 {
		return n, d.err
	}
	return n, nil
}

// Dump shows data as "hexdump -C" does.
func Dump(data []byte) string {
	if len(data) == 0 {
		return ""
	}
	d := dumper{}
	d.write(data)
	d.finish()
	return string(d.out)
}

// A dumper makes lines of 16 bytes: offset, two groups of eight, text.
type dumper struct {
	w      io.Writer
	line   [16]byte
	n      int // bytes in line
	offset uint
	closed bool
	out    []byte
}

// Dumper returns a Writer that writes what Dump shows to w; Close writes the
// last line.
func Dumper(w io.Writer) io.WriteCloser { return &dumper{w: w} }

func (d *dumper) write(p []byte) {
	for _, c := range p {
		if d.n == 0 {
			for shift := 28; shift >= 0; shift -= 4 {
				d.out = append(d.out, digits[d.offset>>uint(shift)&15])
			}
			d.out = append(d.out, ' ')
		}
		d.line[d.n] = c
		d.n++
		if d.n == 1 || d.n == 9 {
			d.out = append(d.out, ' ')
		}
		d.out = append(d.out, digits[c>>4], digits[c&15], ' ')
		if d.n == 16 {
			d.text()
		}
	}
}

// text ends a line.
func (d *dumper) text() {
	d.out = append(d.out, " |"...)
	for _, c := range d.line[:d.n] {
		if c < 32 || c > 126 {
			c = '.'
		}
		d.out = append(d.out, c)
	}
	d.out = append(d.out, "|\n"...)
	d.offset += uint(d.n)
	d.n = 0
}

// finish pads and ends a line that is begun.
func (d *dumper) finish() {
	if d.n == 0 {
		return
	}
	for i := d.n; i < 16; i++ {
		if i == 8 {
			d.out = append(d.out, ' ')
		}
		d.out = append(d.out, "   "...)
	}
	d.text()
}

// flush hands the lines over.
func (d *dumper) flush() error {
	if len(d.out) == 0 {
		return nil
	}
	_, err := d.w.Write(d.out)
	d.out = d.out[:0]
	return err
}

func (d *dumper) Write(data []byte) (n int, err error) {
	if d.closed {
		return 0, errors.New("encoding/hex: dumper closed")
	}
	d.write(data)
	if err := d.flush(); err != nil {
		return 0, err
	}
	return len(data), nil
}

func (d *dumper) Close() error {
	if d.closed {
		return nil
	}
	d.closed = true
	d.finish()
	return d.flush()
}
