// SPDX-License-Identifier: MIT

package bytes

import (
	"errors"
	"io"
	"unicode/utf8"
)

// MinRead is the least room ReadFrom offers to a Read.
const MinRead = 512

// firstAlloc is the size of a small buffer's first allocation.
const firstAlloc = 64

const maxInt = int(^uint(0) >> 1)

// ErrTooLarge is the panic value when a buffer cannot grow.
var ErrTooLarge = errors.New("bytes.Buffer: too large")

var errNegativeRead = errors.New("bytes.Buffer: reader returned negative count from Read")

// What the last operation allows to be undone: 1 to 4 are the length of the
// rune that was read.
const (
	lastRead    = -1 // a read that was not of a rune
	lastInvalid = 0  // not a read
)

// A Buffer is a growing byte buffer: written at its end, read at its start.
// The zero value is an empty one.
type Buffer struct {
	buf  []byte // contents are buf[off:]
	off  int
	last int8
}

// NewBuffer returns a Buffer with buf as its contents.
func NewBuffer(buf []byte) *Buffer { return &Buffer{buf: buf} }

// NewBufferString returns a Buffer with s as its contents.
func NewBufferString(s string) *Buffer { return &Buffer{buf: []byte(s)} }

// Bytes returns the unread part; it is valid until the next change.
func (b *Buffer) Bytes() []byte { return b.buf[b.off:] }

// AvailableBuffer returns an empty slice over the unused end of b.
func (b *Buffer) AvailableBuffer() []byte { return b.buf[len(b.buf):] }

// String returns the unread part as a string, "<nil>" for a nil b.
func (b *Buffer) String() string {
	if b == nil {
		return "<nil>"
	}
	return string(b.buf[b.off:])
}

// Peek returns the next n bytes without advancing.
func (b *Buffer) Peek(n int) ([]byte, error) {
	if b.Len() < n {
		return b.buf[b.off:], io.EOF
	}
	return b.buf[b.off : b.off+n], nil
}

// Len returns the length of the unread part.
func (b *Buffer) Len() int { return len(b.buf) - b.off }

// Cap returns the capacity of the underlying slice.
func (b *Buffer) Cap() int { return cap(b.buf) }

// Available returns the number of bytes that fit without growing.
func (b *Buffer) Available() int { return cap(b.buf) - len(b.buf) }

// Truncate drops all but the first n unread bytes.
func (b *Buffer) Truncate(n int) {
	if n == 0 {
		b.Reset()
		return
	}
	b.last = lastInvalid
	if n < 0 || n > b.Len() {
		panic("bytes.Buffer: truncation out of range")
	}
	b.buf = b.buf[:b.off+n]
}

// Reset empties the buffer and keeps its memory.
func (b *Buffer) Reset() {
	b.buf = b.buf[:0]
	b.off = 0
	b.last = lastInvalid
}

// grow makes room for n more bytes without changing the contents' length.
func (b *Buffer) grow(n int) {
	if b.off == len(b.buf) && b.off != 0 {
		b.Reset()
	}
	if n <= cap(b.buf)-len(b.buf) {
		return
	}
	used := len(b.buf) - b.off
	if n <= cap(b.buf)/2-used {
		// Half the memory is free: move down rather than allocate.
		copy(b.buf, b.buf[b.off:])
		b.buf = b.buf[:used]
		b.off = 0
		return
	}
	if n > maxInt-2*cap(b.buf) {
		panic(ErrTooLarge)
	}
	size := 2*cap(b.buf) + n
	if b.buf == nil && n <= firstAlloc {
		size = firstAlloc
	}
	buf := make([]byte, used, size)
	copy(buf, b.buf[b.off:])
	b.buf = buf
	b.off = 0
}

// Grow makes room for another n bytes.
func (b *Buffer) Grow(n int) {
	if n < 0 {
		panic("bytes.Buffer.Grow: negative count")
	}
	b.grow(n)
}

// Write appends p; the error is always nil.
func (b *Buffer) Write(p []byte) (n int, err error) {
	b.last = lastInvalid
	if len(p) > cap(b.buf)-len(b.buf) {
		b.grow(len(p))
	}
	b.buf = append(b.buf, p...)
	return len(p), nil
}

// WriteString appends s; the error is always nil.
func (b *Buffer) WriteString(s string) (n int, err error) {
	b.last = lastInvalid
	if len(s) > cap(b.buf)-len(b.buf) {
		b.grow(len(s))
	}
	b.buf = append(b.buf, s...)
	return len(s), nil
}

// WriteByte appends c; the error is always nil.
func (b *Buffer) WriteByte(c byte) error {
	b.last = lastInvalid
	if len(b.buf) == cap(b.buf) {
		b.grow(1)
	}
	b.buf = append(b.buf, c)
	return nil
}

// WriteRune appends the UTF-8 encoding of r; the error is always nil.
func (b *Buffer) WriteRune(r rune) (n int, err error) {
	if 0 <= r && r < utf8.RuneSelf {
		b.WriteByte(byte(r))
		return 1, nil
	}
	b.last = lastInvalid
	b.grow(utf8.UTFMax)
	m := len(b.buf)
	b.buf = utf8.AppendRune(b.buf, r)
	return len(b.buf) - m, nil
}

// ReadFrom appends what r yields until its EOF.
func (b *Buffer) ReadFrom(r io.Reader) (n int64, err error) {
	b.last = lastInvalid
	for {
		b.grow(MinRead)
		m, e := r.Read(b.buf[len(b.buf):cap(b.buf)])
		if m < 0 {
			panic(errNegativeRead)
		}
		b.buf = b.buf[:len(b.buf)+m]
		n += int64(m)
		if e == io.EOF {
			return n, nil
		}
		if e != nil {
			return n, e
		}
	}
}

// WriteTo writes the unread part to w.
func (b *Buffer) WriteTo(w io.Writer) (n int64, err error) {
	b.last = lastInvalid
	if size := b.Len(); size > 0 {
		m, e := w.Write(b.buf[b.off:])
		if m > size {
			panic("bytes.Buffer.WriteTo: invalid Write count")
		}
		b.off += m
		n = int64(m)
		if e != nil {
			return n, e
		}
		if m != size {
			return n, io.ErrShortWrite
		}
	}
	b.Reset()
	return n, nil
}

// Read implements io.Reader.
func (b *Buffer) Read(p []byte) (n int, err error) {
	b.last = lastInvalid
	if b.off >= len(b.buf) {
		b.Reset()
		if len(p) == 0 {
			return 0, nil
		}
		return 0, io.EOF
	}
	n = copy(p, b.buf[b.off:])
	b.off += n
	if n > 0 {
		b.last = lastRead
	}
	return n, nil
}

// Next returns the next n bytes, or all there are, and advances past them.
func (b *Buffer) Next(n int) []byte {
	b.last = lastInvalid
	if m := b.Len(); n > m {
		n = m
	}
	data := b.buf[b.off : b.off+n]
	b.off += n
	if n > 0 {
		b.last = lastRead
	}
	return data
}

// ReadByte implements io.ByteReader.
func (b *Buffer) ReadByte() (byte, error) {
	if b.off >= len(b.buf) {
		b.Reset()
		return 0, io.EOF
	}
	c := b.buf[b.off]
	b.off++
	b.last = lastRead
	return c, nil
}

// ReadRune implements io.RuneReader.
func (b *Buffer) ReadRune() (r rune, size int, err error) {
	if b.off >= len(b.buf) {
		b.Reset()
		return 0, 0, io.EOF
	}
	r, size = next(b.buf[b.off:])
	b.off += size
	b.last = int8(size)
	return r, size, nil
}

// UnreadRune implements io.RuneScanner.
func (b *Buffer) UnreadRune() error {
	if b.last <= lastInvalid {
		return errors.New("bytes.Buffer: UnreadRune: previous operation was not a successful ReadRune")
	}
	if b.off >= int(b.last) {
		b.off -= int(b.last)
	}
	b.last = lastInvalid
	return nil
}

// UnreadByte implements io.ByteScanner.
func (b *Buffer) UnreadByte() error {
	if b.last == lastInvalid {
		return errors.New("bytes.Buffer: UnreadByte: previous operation was not a successful read")
	}
	b.last = lastInvalid
	if b.off > 0 {
		b.off--
	}
	return nil
}

// ReadBytes reads up to and including delim and returns a copy.
func (b *Buffer) ReadBytes(delim byte) (line []byte, err error) {
	slice, err := b.readSlice(delim)
	return append(line, slice...), err
}

// ReadString reads up to and including delim.
func (b *Buffer) ReadString(delim byte) (line string, err error) {
	slice, err := b.readSlice(delim)
	return string(slice), err
}

func (b *Buffer) readSlice(delim byte) (line []byte, err error) {
	end := len(b.buf)
	if i := IndexByte(b.buf[b.off:], delim); i >= 0 {
		end = b.off + i + 1
	} else {
		err = io.EOF
	}
	line = b.buf[b.off:end]
	b.off = end
	b.last = lastRead
	return line, err
}
