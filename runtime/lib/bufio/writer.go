// SPDX-License-Identifier: MIT

package bufio

import (
	"io"
	"unicode/utf8"
)

// A Writer buffers an io.Writer; after an error it takes no more data.
type Writer struct {
	err error
	buf []byte
	n   int
	wr  io.Writer
}

// NewWriterSize returns a writer with a buffer of at least size bytes.
func NewWriterSize(w io.Writer, size int) *Writer {
	if b, ok := w.(*Writer); ok && len(b.buf) >= size {
		return b
	}
	if size <= 0 {
		size = defaultBufSize
	}
	return &Writer{buf: make([]byte, size), wr: w}
}

// NewWriter returns a writer with a buffer of 4096 bytes.
func NewWriter(w io.Writer) *Writer { return NewWriterSize(w, defaultBufSize) }

// Size is the size of the buffer.
func (b *Writer) Size() int { return len(b.buf) }

// Reset drops what is buffered and writes to w.
func (b *Writer) Reset(w io.Writer) {
	if b == w {
		return
	}
	if b.buf == nil {
		b.buf = make([]byte, defaultBufSize)
	}
	b.err = nil
	b.n = 0
	b.wr = w
}

// Flush writes what is buffered.
func (b *Writer) Flush() error {
	if b.err != nil {
		return b.err
	}
	if b.n == 0 {
		return nil
	}
	n, err := b.wr.Write(b.buf[:b.n])
	if n < b.n && err == nil {
		err = io.ErrShortWrite
	}
	if err != nil {
		if n > 0 && n < b.n {
			copy(b.buf, b.buf[n:b.n])
		}
		b.n -= n
		b.err = err
		return err
	}
	b.n = 0
	return nil
}

// Available is the number of bytes that are unused in the buffer.
func (b *Writer) Available() int { return len(b.buf) - b.n }

// AvailableBuffer is the unused part of the buffer, to append to.
func (b *Writer) AvailableBuffer() []byte { return b.buf[b.n:][:0] }

// Buffered is the number of bytes in the buffer.
func (b *Writer) Buffered() int { return b.n }

func (b *Writer) Write(p []byte) (nn int, err error) {
	for len(p) > len(b.buf)-b.n && b.err == nil {
		n := 0
		if b.n == 0 {
			n, b.err = b.wr.Write(p)
		} else {
			n = copy(b.buf[b.n:], p)
			b.n += n
			b.Flush()
		}
		nn += n
		p = p[n:]
	}
	if b.err != nil {
		return nn, b.err
	}
	n := copy(b.buf[b.n:], p)
	b.n += n
	return nn + n, nil
}

// WriteByte writes one byte.
func (b *Writer) WriteByte(c byte) error {
	if b.err != nil {
		return b.err
	}
	if b.n >= len(b.buf) && b.Flush() != nil {
		return b.err
	}
	b.buf[b.n] = c
	b.n++
	return nil
}

// WriteRune writes one character in UTF-8.
func (b *Writer) WriteRune(r rune) (size int, err error) {
	if uint32(r) < utf8.RuneSelf {
		if err = b.WriteByte(byte(r)); err != nil {
			return 0, err
		}
		return 1, nil
	}
	if b.err != nil {
		return 0, b.err
	}
	if len(b.buf)-b.n < utf8.UTFMax {
		if b.Flush(); b.err != nil {
			return 0, b.err
		}
		if len(b.buf)-b.n < utf8.UTFMax {
			return b.WriteString(string(r)) // a tiny buffer
		}
	}
	size = utf8.EncodeRune(b.buf[b.n:], r)
	b.n += size
	return size, nil
}

// WriteString writes a string.
func (b *Writer) WriteString(s string) (nn int, err error) {
	for len(s) > len(b.buf)-b.n && b.err == nil {
		n := 0
		if b.n == 0 {
			if sw, ok := b.wr.(io.StringWriter); ok {
				n, b.err = sw.WriteString(s)
				nn += n
				s = s[n:]
				continue
			}
		}
		n = copy(b.buf[b.n:], s)
		b.n += n
		b.Flush()
		nn += n
		s = s[n:]
	}
	if b.err != nil {
		return nn, b.err
	}
	n := copy(b.buf[b.n:], s)
	b.n += n
	return nn + n, nil
}

// ReadFrom writes everything that r gives.
func (b *Writer) ReadFrom(r io.Reader) (n int64, err error) {
	if b.err != nil {
		return 0, b.err
	}
	below, direct := b.wr.(io.ReaderFrom)
	for {
		if b.Available() == 0 {
			if err := b.Flush(); err != nil {
				return n, err
			}
		}
		if direct && b.n == 0 {
			k, err := below.ReadFrom(r)
			b.err = err
			return n + k, err
		}
		k, tries := 0, 0
		for tries < maxEmpty {
			k, err = r.Read(b.buf[b.n:])
			if k != 0 || err != nil {
				break
			}
			tries++
		}
		if tries == maxEmpty {
			return n, io.ErrNoProgress
		}
		b.n += k
		n += int64(k)
		if err != nil {
			break
		}
	}
	if err == io.EOF {
		err = nil
		if b.Available() == 0 {
			err = b.Flush()
		}
	}
	return n, err
}

// ReadWriter is a Reader and a Writer.
type ReadWriter struct {
	*Reader
	*Writer
}

// NewReadWriter joins r and w.
func NewReadWriter(r *Reader, w *Writer) *ReadWriter { return &ReadWriter{r, w} }
