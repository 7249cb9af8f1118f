// SPDX-License-Identifier: MIT

// Package bufio puts buffers before readers and writers, and splits input
// into tokens.
package bufio

import (
	"errors"
	"io"
	"unicode/utf8"
)

const defaultBufSize = 4096

const (
	minReadSize = 16
	maxEmpty    = 100 // reads in a row without data or error
)

// Errors of this package.
var (
	ErrInvalidUnreadByte = errors.New("bufio: invalid use of UnreadByte")
	ErrInvalidUnreadRune = errors.New("bufio: invalid use of UnreadRune")
	ErrBufferFull        = errors.New("bufio: buffer full")
	ErrNegativeCount     = errors.New("bufio: negative count")

	errNegativeRead  = errors.New("bufio: reader returned negative count from Read")
	errNegativeWrite = errors.New("bufio: writer returned negative count from Write")
)

// A Reader buffers an io.Reader. buf[r:w] is what was read but not yet taken.
type Reader struct {
	buf      []byte
	rd       io.Reader
	r, w     int
	err      error
	lastByte int // the last byte taken, for UnreadByte; -1: none
	lastRune int // length of the last rune taken, for UnreadRune; -1: none
}

// NewReaderSize returns a reader with a buffer of at least size bytes.
func NewReaderSize(rd io.Reader, size int) *Reader {
	if b, ok := rd.(*Reader); ok && len(b.buf) >= size {
		return b
	}
	if size < minReadSize {
		size = minReadSize
	}
	b := new(Reader)
	b.reset(make([]byte, size), rd)
	return b
}

// NewReader returns a reader with a buffer of 4096 bytes.
func NewReader(rd io.Reader) *Reader { return NewReaderSize(rd, defaultBufSize) }

// Size is the size of the buffer.
func (b *Reader) Size() int { return len(b.buf) }

// Reset drops what is buffered and reads from r.
func (b *Reader) Reset(r io.Reader) {
	if b == r {
		return
	}
	if b.buf == nil {
		b.buf = make([]byte, defaultBufSize)
	}
	b.reset(b.buf, r)
}

func (b *Reader) reset(buf []byte, r io.Reader) {
	*b = Reader{buf: buf, rd: r, lastByte: -1, lastRune: -1}
}

// fill reads once more into the buffer, which must not be full.
func (b *Reader) fill() {
	if b.r > 0 {
		copy(b.buf, b.buf[b.r:b.w])
		b.w -= b.r
		b.r = 0
	}
	if b.w >= len(b.buf) {
		panic("bufio: tried to fill full buffer")
	}
	for i := 0; i < maxEmpty; i++ {
		n, err := b.rd.Read(b.buf[b.w:])
		if n < 0 {
			panic(errNegativeRead)
		}
		b.w += n
		if err != nil {
			b.err = err
			return
		}
		if n > 0 {
			return
		}
	}
	b.err = io.ErrNoProgress
}

func (b *Reader) takeErr() error {
	err := b.err
	b.err = nil
	return err
}

// Peek returns the next n bytes without taking them.
func (b *Reader) Peek(n int) ([]byte, error) {
	if n < 0 {
		return nil, ErrNegativeCount
	}
	b.lastByte, b.lastRune = -1, -1
	for b.w-b.r < n && b.w-b.r < len(b.buf) && b.err == nil {
		b.fill()
	}
	if n > len(b.buf) {
		return b.buf[b.r:b.w], ErrBufferFull
	}
	var err error
	if avail := b.w - b.r; avail < n {
		n = avail
		err = b.takeErr()
		if err == nil {
			err = ErrBufferFull
		}
	}
	return b.buf[b.r : b.r+n], err
}

// Discard skips the next n bytes.
func (b *Reader) Discard(n int) (discarded int, err error) {
	if n < 0 {
		return 0, ErrNegativeCount
	}
	if n == 0 {
		return
	}
	b.lastByte, b.lastRune = -1, -1
	left := n
	for {
		skip := b.Buffered()
		if skip == 0 {
			b.fill()
			skip = b.Buffered()
		}
		if skip > left {
			skip = left
		}
		b.r += skip
		left -= skip
		if left == 0 {
			return n, nil
		}
		if b.err != nil {
			return n - left, b.takeErr()
		}
	}
}

// Read reads what is buffered, or else what one Read below gives.
func (b *Reader) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		if b.Buffered() > 0 {
			return 0, nil
		}
		return 0, b.takeErr()
	}
	if b.r == b.w {
		if b.err != nil {
			return 0, b.takeErr()
		}
		if len(p) >= len(b.buf) {
			n, b.err = b.rd.Read(p)
			if n < 0 {
				panic(errNegativeRead)
			}
			if n > 0 {
				b.lastByte, b.lastRune = int(p[n-1]), -1
			}
			return n, b.takeErr()
		}
		b.r, b.w = 0, 0
		n, b.err = b.rd.Read(b.buf)
		if n < 0 {
			panic(errNegativeRead)
		}
		if n == 0 {
			return 0, b.takeErr()
		}
		b.w += n
	}
	n = copy(p, b.buf[b.r:b.w])
	b.r += n
	b.lastByte, b.lastRune = int(b.buf[b.r-1]), -1
	return n, nil
}

// ReadByte takes one byte.
func (b *Reader) ReadByte() (byte, error) {
	b.lastRune = -1
	for b.r == b.w {
		if b.err != nil {
			return 0, b.takeErr()
		}
		b.fill()
	}
	c := b.buf[b.r]
	b.r++
	b.lastByte = int(c)
	return c, nil
}

// UnreadByte puts the last byte back.
func (b *Reader) UnreadByte() error {
	if b.lastByte < 0 || b.r == 0 && b.w > 0 {
		return ErrInvalidUnreadByte
	}
	if b.r > 0 {
		b.r--
	} else {
		b.w = 1 // the buffer was empty
	}
	b.buf[b.r] = byte(b.lastByte)
	b.lastByte, b.lastRune = -1, -1
	return nil
}

// ReadRune takes one UTF-8 character.
func (b *Reader) ReadRune() (r rune, size int, err error) {
	for b.r+utf8.UTFMax > b.w && !utf8.FullRune(b.buf[b.r:b.w]) &&
		b.err == nil && b.w-b.r < len(b.buf) {
		b.fill()
	}
	b.lastRune = -1
	if b.r == b.w {
		return 0, 0, b.takeErr()
	}
	r, size = rune(b.buf[b.r]), 1
	if r >= utf8.RuneSelf {
		r, size = utf8.DecodeRune(b.buf[b.r:b.w])
	}
	b.r += size
	b.lastByte, b.lastRune = int(b.buf[b.r-1]), size
	return r, size, nil
}

// UnreadRune puts the last rune back, if ReadRune was the last operation.
func (b *Reader) UnreadRune() error {
	if b.lastRune < 0 || b.r < b.lastRune {
		return ErrInvalidUnreadRune
	}
	b.r -= b.lastRune
	b.lastByte, b.lastRune = -1, -1
	return nil
}

// Buffered is the number of bytes that can be read from the buffer.
func (b *Reader) Buffered() int { return b.w - b.r }

// ReadSlice takes everything up to and including delim; the bytes are valid
// until the next read.
func (b *Reader) ReadSlice(delim byte) (line []byte, err error) {
	seen := 0
	for {
		if i := indexByte(b.buf[b.r+seen:b.w], delim); i >= 0 {
			i += seen
			line = b.buf[b.r : b.r+i+1]
			b.r += i + 1
			break
		}
		if b.err != nil {
			line = b.buf[b.r:b.w]
			b.r = b.w
			err = b.takeErr()
			break
		}
		if b.Buffered() >= len(b.buf) {
			b.r = b.w
			line = b.buf
			err = ErrBufferFull
			break
		}
		seen = b.w - b.r
		b.fill()
	}
	if n := len(line); n > 0 {
		b.lastByte, b.lastRune = int(line[n-1]), -1
	}
	return
}

// ReadLine takes one line or, if it does not fit in the buffer, a part of it.
func (b *Reader) ReadLine() (line []byte, isPrefix bool, err error) {
	line, err = b.ReadSlice('\n')
	if err == ErrBufferFull {
		if len(line) > 0 && line[len(line)-1] == '\r' {
			// The newline may follow: leave the \r for the next call.
			if b.r == 0 {
				panic("bufio: tried to rewind past start of buffer")
			}
			b.r--
			line = line[:len(line)-1]
		}
		return line, true, nil
	}
	if len(line) == 0 {
		if err != nil {
			line = nil
		}
		return
	}
	err = nil
	if line[len(line)-1] == '\n' {
		drop := 1
		if len(line) > 1 && line[len(line)-2] == '\r' {
			drop = 2
		}
		line = line[:len(line)-drop]
	}
	return
}

// collect takes everything up to and including delim: in pieces that filled
// the buffer, and a last one that lies in the buffer.
func (b *Reader) collect(delim byte) (head []byte, tail []byte, err error) {
	for {
		tail, err = b.ReadSlice(delim)
		if err != ErrBufferFull {
			return
		}
		head = append(head, tail...)
	}
}

// ReadBytes takes everything up to and including delim.
func (b *Reader) ReadBytes(delim byte) ([]byte, error) {
	head, tail, err := b.collect(delim)
	if head == nil {
		head = make([]byte, 0, len(tail))
	}
	return append(head, tail...), err
}

// ReadString is ReadBytes as a string.
func (b *Reader) ReadString(delim byte) (string, error) {
	head, tail, err := b.collect(delim)
	if head == nil {
		return string(tail), err
	}
	return string(append(head, tail...)), err
}

// WriteTo writes everything that is left to w.
func (b *Reader) WriteTo(w io.Writer) (n int64, err error) {
	b.lastByte, b.lastRune = -1, -1
	if b.r < b.w {
		n, err = b.writeBuf(w)
		if err != nil {
			return
		}
	}
	if r, ok := b.rd.(io.WriterTo); ok {
		k, err := r.WriteTo(w)
		return n + k, err
	}
	if w, ok := w.(io.ReaderFrom); ok {
		k, err := w.ReadFrom(b.rd)
		return n + k, err
	}
	if b.w-b.r < len(b.buf) {
		b.fill()
	}
	for b.r < b.w {
		k, err := b.writeBuf(w)
		n += k
		if err != nil {
			return n, err
		}
		b.fill()
	}
	if b.err == io.EOF {
		b.err = nil
	}
	return n, b.takeErr()
}

func (b *Reader) writeBuf(w io.Writer) (int64, error) {
	n, err := w.Write(b.buf[b.r:b.w])
	if n < 0 {
		panic(errNegativeWrite)
	}
	b.r += n
	return int64(n), err
}
