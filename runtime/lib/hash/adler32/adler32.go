// SPDX-License-Identifier: MIT

// Package adler32 is the checksum Adler-32 (RFC 1950).
package adler32

import (
	"errors"
	"hash"
)

// Size is the number of bytes of a checksum.
const Size = 4

const magic = "adl\x01"

type digest uint32

// update takes p into the checksum of what was before.
//
//go:noescape
//race:reads p
func update(sum uint32, p []byte) uint32

func updateAll(sum uint32, p []byte) uint32 {
	for len(p) > 0 {
		n := min(len(p), 1<<16)
		sum = update(sum, p[:n])
		p = p[n:]
	}
	return sum
}

// New starts a checksum.
func New() hash.Hash32 {
	d := digest(1)
	return &d
}

func (d *digest) Reset()         { *d = 1 }
func (d *digest) Size() int      { return Size }
func (d *digest) BlockSize() int { return 4 }
func (d *digest) Sum32() uint32  { return uint32(*d) }

func (d *digest) Write(p []byte) (int, error) {
	*d = digest(updateAll(uint32(*d), p))
	return len(p), nil
}

func (d *digest) Sum(b []byte) []byte {
	s := uint32(*d)
	return append(b, byte(s>>24), byte(s>>16), byte(s>>8), byte(s))
}

func (d *digest) AppendBinary(b []byte) ([]byte, error) {
	return d.Sum(append(b, magic...)), nil
}

func (d *digest) MarshalBinary() ([]byte, error) { return d.AppendBinary(nil) }

func (d *digest) UnmarshalBinary(b []byte) error {
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return errors.New("hash/adler32: invalid hash state identifier")
	}
	if len(b) != len(magic)+Size {
		return errors.New("hash/adler32: invalid hash state size")
	}
	*d = digest(b[4])<<24 | digest(b[5])<<16 | digest(b[6])<<8 | digest(b[7])
	return nil
}

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

// Checksum is the checksum of data.
func Checksum(data []byte) uint32 { return updateAll(1, data) }
