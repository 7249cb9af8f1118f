// SPDX-License-Identifier: MIT

package binary

import (
	"errors"
	"io"
)

// The most bytes of a number of 16, 32 or 64 bits.
const (
	MaxVarintLen16 = 3
	MaxVarintLen32 = 5
	MaxVarintLen64 = 10
)

var errOverflow = errors.New("binary: varint overflows a 64-bit integer")

// AppendUvarint appends x, seven bits a byte, the lowest first.
func AppendUvarint(buf []byte, x uint64) []byte {
	for ; x >= 0x80; x >>= 7 {
		buf = append(buf, byte(x)|0x80)
	}
	return append(buf, byte(x))
}

// PutUvarint writes x to buf and returns the number of bytes; it panics if
// buf is too small.
func PutUvarint(buf []byte, x uint64) int {
	i := 0
	for ; x >= 0x80; x >>= 7 {
		buf[i] = byte(x) | 0x80
		i++
	}
	buf[i] = byte(x)
	return i + 1
}

// Uvarint reads a number from buf; n is the number of bytes, 0 if buf is too
// small, negative if the number has more than 64 bits (-n bytes were read).
func Uvarint(buf []byte) (x uint64, n int) {
	for i, b := range buf {
		if i == MaxVarintLen64 || i == MaxVarintLen64-1 && b > 1 && b < 0x80 {
			return 0, -(i + 1)
		}
		x |= uint64(b&0x7f) << uint(7*i)
		if b < 0x80 {
			return x, i + 1
		}
	}
	return 0, 0
}

// zigzag puts the sign in the lowest bit.
func zigzag(x int64) uint64 { return uint64(x)<<1 ^ uint64(x>>63) }

// unzigzag undoes zigzag.
func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// AppendVarint appends a signed number.
func AppendVarint(buf []byte, x int64) []byte { return AppendUvarint(buf, zigzag(x)) }

// PutVarint is PutUvarint for a signed number.
func PutVarint(buf []byte, x int64) int { return PutUvarint(buf, zigzag(x)) }

// Varint is Uvarint for a signed number.
func Varint(buf []byte) (int64, int) {
	u, n := Uvarint(buf)
	return unzigzag(u), n
}

// ReadUvarint reads a number from r.
func ReadUvarint(r io.ByteReader) (uint64, error) {
	var x uint64
	for i := 0; i < MaxVarintLen64; i++ {
		b, err := r.ReadByte()
		if err != nil {
			if i > 0 && err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return x, err
		}
		if i == MaxVarintLen64-1 && b > 1 && b < 0x80 {
			return x, errOverflow
		}
		x |= uint64(b&0x7f) << uint(7*i)
		if b < 0x80 {
			return x, nil
		}
	}
	return x, errOverflow
}

// ReadVarint reads a signed number from r.
func ReadVarint(r io.ByteReader) (int64, error) {
	u, err := ReadUvarint(r)
	return unzigzag(u), err
}
