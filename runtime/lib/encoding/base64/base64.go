// SPDX-License-Identifier: MIT

// Package base64 writes bytes as letters, digits and two other characters,
// six bits each (RFC 4648).
package base64

import (
	"io"
	"strconv"
)

// An Encoding is an alphabet of 64 characters and a rule for the end.
type Encoding struct {
	alphabet string
	values   [256]uint8 // of the characters; 255 for others
	pad      rune
	strict   bool
}

// The padding of Encodings.
const (
	StdPadding rune = '='
	NoPadding  rune = -1
)

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// The encodings of RFC 4648, with and without padding.
var (
	StdEncoding    = NewEncoding(letters + "+/")
	URLEncoding    = NewEncoding(letters + "-_")
	RawStdEncoding = StdEncoding.WithPadding(NoPadding)
	RawURLEncoding = URLEncoding.WithPadding(NoPadding)
)

// A CorruptInputError is the offset of the first wrong byte.
type CorruptInputError int64

func (e CorruptInputError) Error() string {
	return "illegal base64 data at input byte " + strconv.FormatInt(int64(e), 10)
}

// NewEncoding makes a padded Encoding of an alphabet of 64 bytes.
func NewEncoding(encoder string) *Encoding {
	if len(encoder) != 64 {
		panic("encoding alphabet is not 64-bytes long")
	}
	e := &Encoding{alphabet: encoder, pad: StdPadding}
	for i := range e.values {
		e.values[i] = 255
	}
	for i := 0; i < 64; i++ {
		switch c := encoder[i]; {
		case c == '\n' || c == '\r':
			panic("encoding alphabet contains newline character")
		case e.values[c] != 255:
			panic("encoding alphabet includes duplicate symbols")
		default:
			e.values[c] = uint8(i)
		}
	}
	return e
}

// WithPadding is enc with another padding character, or with NoPadding.
func (enc Encoding) WithPadding(padding rune) *Encoding {
	switch {
	case padding < NoPadding || padding == '\r' || padding == '\n' || padding > 0xff:
		panic("invalid padding")
	case padding != NoPadding && enc.values[byte(padding)] != 255:
		panic("padding contained in alphabet")
	}
	enc.pad = padding
	return &enc
}

// Strict is enc with the rule that the unused bits at the end are zero.
func (enc Encoding) Strict() *Encoding {
	enc.strict = true
	return &enc
}

// EncodedLen is the number of characters of n bytes.
func (enc *Encoding) EncodedLen(n int) int {
	if enc.pad == NoPadding {
		return n/3*4 + (n%3*8+5)/6
	}
	return (n + 2) / 3 * 4
}

// DecodedLen is the most bytes that n characters may mean.
func (enc *Encoding) DecodedLen(n int) int {
	if enc.pad == NoPadding {
		return n/4*3 + n%4*6/8
	}
	return n / 4 * 3
}

// Encode writes EncodedLen(len(src)) characters to dst.
func (enc *Encoding) Encode(dst, src []byte) {
	a := enc.alphabet
	k := 0
	for ; len(src) >= 3; src = src[3:] {
		v := uint(src[0])<<16 | uint(src[1])<<8 | uint(src[2])
		dst[k] = a[v>>18]
		dst[k+1] = a[v>>12&63]
		dst[k+2] = a[v>>6&63]
		dst[k+3] = a[v&63]
		k += 4
	}
	if len(src) == 0 {
		return
	}
	v := uint(src[0]) << 16
	if len(src) == 2 {
		v |= uint(src[1]) << 8
	}
	dst[k] = a[v>>18]
	dst[k+1] = a[v>>12&63]
	if len(src) == 2 {
		dst[k+2] = a[v>>6&63]
	} else if enc.pad != NoPadding {
		dst[k+2] = byte(enc.pad)
	}
	if enc.pad != NoPadding {
		dst[k+3] = byte(enc.pad)
	}
}

// AppendEncode appends the characters of src.
func (enc *Encoding) AppendEncode(dst, src []byte) []byte {
	b := make([]byte, enc.EncodedLen(len(src)))
	enc.Encode(b, src)
	return append(dst, b...)
}

// EncodeToString is the characters of src.
func (enc *Encoding) EncodeToString(src []byte) string {
	b := make([]byte, enc.EncodedLen(len(src)))
	enc.Encode(b, src)
	return string(b)
}

// A quad collects the characters of three bytes.
type quad struct {
	v     uint
	n     int  // characters so far
	ended bool // a padded or short group was seen
}

// flush writes the bytes of the group, n characters of which are real; false
// if the unused bits must be zero and are not.
func (enc *Encoding) flush(dst []byte, q *quad) (k int, ok bool) {
	v := q.v << uint(6*(4-q.n))
	k = q.n - 1
	if enc.strict && v&(1<<uint(24-8*k)-1) != 0 {
		return 0, false
	}
	for i := 0; i < k; i++ {
		dst[i] = byte(v >> uint(16-8*i))
	}
	q.v, q.n = 0, 0
	return k, true
}

// Decode writes the bytes that src means to dst and returns their number;
// newlines in src do not count.
func (enc *Encoding) Decode(dst, src []byte) (n int, err error) {
	var q quad
	i := 0
	for i < len(src) {
		c := src[i]
		if v := enc.values[c]; v != 255 {
			q.v = q.v<<6 | uint(v)
			q.n++
			i++
			if q.n == 4 {
				k, _ := enc.flush(dst[n:], &q)
				n += k
			}
			continue
		}
		if c == '\n' || c == '\r' {
			i++
			continue
		}
		if rune(c) != enc.pad || q.n < 2 {
			return n, CorruptInputError(i)
		}
		return enc.tail(dst, src, i, n, &q)
	}
	if q.n == 0 {
		return n, nil
	}
	if q.n == 1 || enc.pad != NoPadding {
		return n, CorruptInputError(i - q.n)
	}
	wrong := CorruptInputError(i - 4 + q.n)
	k, ok := enc.flush(dst[n:], &q)
	if !ok {
		return n, wrong
	}
	return n + k, nil
}

// tail reads the padding, which begins at src[i].
func (enc *Encoding) tail(dst, src []byte, i, n int, q *quad) (int, error) {
	i++
	if q.n == 2 { // a second one follows
		for i < len(src) && (src[i] == '\n' || src[i] == '\r') {
			i++
		}
		if i == len(src) {
			return n, CorruptInputError(len(src))
		}
		if rune(src[i]) != enc.pad {
			return n, CorruptInputError(i - 1)
		}
		i++
	}
	for i < len(src) && (src[i] == '\n' || src[i] == '\r') {
		i++
	}
	var err error
	if i < len(src) {
		err = CorruptInputError(i)
	}
	wrong := CorruptInputError(i - 4 + q.n)
	k, ok := enc.flush(dst[n:], q)
	if !ok {
		return n, wrong
	}
	return n + k, err
}

// AppendDecode appends the bytes that src means.
func (enc *Encoding) AppendDecode(dst, src []byte) ([]byte, error) {
	b := make([]byte, len(src)/4*3+3)
	n, err := enc.Decode(b, src)
	return append(dst, b[:n]...), err
}

// DecodeString is the bytes that s means.
func (enc *Encoding) DecodeString(s string) ([]byte, error) {
	b := make([]byte, len(s)/4*3+3)
	n, err := enc.Decode(b, []byte(s))
	return b[:n], err
}

type encoder struct {
	enc  *Encoding
	w    io.Writer
	err  error
	rest [3]byte // fewer than three bytes that wait for more
	n    int
	out  [1024]byte
}

// NewEncoder returns a Writer that writes characters to w; Close writes the
// last ones.
func NewEncoder(enc *Encoding, w io.Writer) io.WriteCloser {
	return &encoder{enc: enc, w: w}
}

func (e *encoder) Write(p []byte) (n int, err error) {
	if e.err != nil {
		return 0, e.err
	}
	if e.n > 0 {
		k := copy(e.rest[e.n:], p)
		e.n += k
		n += k
		p = p[k:]
		if e.n < 3 {
			return n, nil
		}
		e.enc.Encode(e.out[:], e.rest[:])
		if _, e.err = e.w.Write(e.out[:4]); e.err != nil {
			return n, e.err
		}
		e.n = 0
	}
	for len(p) >= 3 {
		k := min(len(e.out)/4*3, len(p)/3*3)
		e.enc.Encode(e.out[:], p[:k])
		if _, e.err = e.w.Write(e.out[:k/3*4]); e.err != nil {
			return n, e.err
		}
		n += k
		p = p[k:]
	}
	e.n = copy(e.rest[:], p)
	return n + e.n, nil
}

func (e *encoder) Close() error {
	if e.err == nil && e.n > 0 {
		e.enc.Encode(e.out[:], e.rest[:e.n])
		_, e.err = e.w.Write(e.out[:e.enc.EncodedLen(e.n)])
		e.n = 0
	}
	return e.err
}

type decoder struct {
	enc   *Encoding
	r     io.Reader
	err   error
	rerr  error // of r
	in    []byte
	nin   int
	ready []byte // decoded, not yet handed out
	out   [768]byte
}

// NewDecoder returns a Reader of the bytes that the characters in r mean.
func NewDecoder(enc *Encoding, r io.Reader) io.Reader {
	return &decoder{enc: enc, r: r, in: make([]byte, 1024)}
}

// more reads characters other than newlines behind those that wait.
func (d *decoder) more() {
	n, err := d.r.Read(d.in[d.nin:])
	k := d.nin
	for _, c := range d.in[d.nin : d.nin+n] {
		if c != '\n' && c != '\r' {
			d.in[k] = c
			k++
		}
	}
	d.nin, d.rerr = k, err
}

func (d *decoder) Read(p []byte) (n int, err error) {
	if len(d.ready) > 0 {
		n = copy(p, d.ready)
		d.ready = d.ready[n:]
		return n, nil
	}
	if d.err != nil {
		return 0, d.err
	}
	for d.nin < 4 && d.rerr == nil {
		d.more()
	}
	k := d.nin / 4 * 4
	if k == 0 {
		if d.nin == 0 || d.rerr != io.EOF {
			d.err = d.rerr
			if d.err == io.EOF && d.nin > 0 {
				d.err = io.ErrUnexpectedEOF
			}
			return 0, d.err
		}
		if d.enc.pad != NoPadding {
			d.err = io.ErrUnexpectedEOF
			return 0, d.err
		}
		k = d.nin
	}
	n, d.err = d.enc.Decode(d.out[:], d.in[:k])
	d.nin = copy(d.in, d.in[k:d.nin])
	d.ready = d.out[:n]
	n = copy(p, d.ready)
	d.ready = d.ready[n:]
	if len(d.ready) > 0 {
		return n, nil
	}
	return n, d.err
}
