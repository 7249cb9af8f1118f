// SPDX-License-Identifier: MIT

package strings

import (
	"unicode/utf8"
	"unsafe"
)

// A Builder builds a string piece by piece without copying it at the end.
// The zero value is ready to use; a used Builder must not be copied.
type Builder struct {
	addr uintptr // its own once it has been written to, to detect copies
	buf  []byte
}

func (b *Builder) copyCheck() {
	if b.addr == 0 {
		b.addr = uintptr(unsafe.Pointer(b))
	} else if b.addr != uintptr(unsafe.Pointer(b)) {
		panic("strings: illegal use of non-zero Builder copied by value")
	}
}

// String returns what has been written so far.
func (b *Builder) String() string {
	return unsafe.String(unsafe.SliceData(b.buf), len(b.buf))
}

// Len returns the number of bytes written.
func (b *Builder) Len() int { return len(b.buf) }

// Cap returns the size of the buffer.
func (b *Builder) Cap() int { return cap(b.buf) }

// Reset makes the Builder empty.
func (b *Builder) Reset() {
	b.addr = 0
	b.buf = nil
}

// Grow makes room for another n bytes.
func (b *Builder) Grow(n int) {
	b.copyCheck()
	if n < 0 {
		panic("strings.Builder.Grow: negative count")
	}
	if cap(b.buf)-len(b.buf) < n {
		// What append makes has no room that the heap would waste.
		buf := append([]byte(nil), make([]byte, 2*cap(b.buf)+n)...)
		b.buf = buf[:copy(buf, b.buf)]
	}
}

// Write appends p; the error is always nil.
func (b *Builder) Write(p []byte) (int, error) {
	if b.addr != uintptr(unsafe.Pointer(b)) {
		b.copyCheck()
	}
	b.buf = append(b.buf, p...)
	return len(p), nil
}

// WriteByte appends c; the error is always nil.
func (b *Builder) WriteByte(c byte) error {
	if b.addr != uintptr(unsafe.Pointer(b)) {
		b.copyCheck()
	}
	b.buf = append(b.buf, c)
	return nil
}

// WriteRune appends the UTF-8 encoding of r; the error is always nil.
func (b *Builder) WriteRune(r rune) (int, error) {
	if b.addr != uintptr(unsafe.Pointer(b)) {
		b.copyCheck()
	}
	if 0 <= r && r < utf8.RuneSelf {
		b.buf = append(b.buf, byte(r))
		return 1, nil
	}
	n := len(b.buf)
	b.buf = utf8.AppendRune(b.buf, r)
	return len(b.buf) - n, nil
}

// WriteString appends s; the error is always nil.
func (b *Builder) WriteString(s string) (int, error) {
	if b.addr != uintptr(unsafe.Pointer(b)) {
		b.copyCheck()
	}
	b.buf = append(b.buf, s...)
	return len(s), nil
}
