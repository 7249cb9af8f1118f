// SPDX-License-Identifier: MIT

// Package crc32 is the cyclic redundancy check of 32 bits.
package crc32

import (
	"errors"
	"hash"
)

// Size is the number of bytes of a checksum.
const Size = 4

// Polynomials, the lowest bit being the highest power.
const (
	IEEE       = 0xedb88320
	Castagnoli = 0x82f63b78
	Koopman    = 0xeb31d82e
)

// IEEETable is the Table of IEEE.
var IEEETable = newTable(IEEE)

func newTable(poly uint32) *Table {
	t := new(Table)
	fill(t, poly)
	return t
}

// A Table is what a byte means for a polynomial.
type Table [256]uint32

// fill computes the table of a polynomial.
//
//race:writes t
func fill(t *Table, poly uint32)

// update takes p into the checksum of what was before.
//
//race:reads t, reads p
func update(t *Table, crc uint32, p []byte) uint32

// MakeTable returns the Table of a polynomial.
func MakeTable(poly uint32) *Table {
	if poly == IEEE {
		return IEEETable
	}
	return newTable(poly)
}

type digest struct {
	crc uint32
	tab *Table
}

// New starts a checksum with a table.
func New(tab *Table) hash.Hash32 { return &digest{0, tab} }

func (d *digest) Size() int      { return Size }
func (d *digest) BlockSize() int { return 1 }
func (d *digest) Reset()         { d.crc = 0 }
func (d *digest) Sum32() uint32  { return d.crc }

func (d *digest) Write(p []byte) (int, error) {
	d.crc = Update(d.crc, d.tab, p)
	return len(p), nil
}

func (d *digest) Sum(b []byte) []byte { return appendBig(b, d.crc) }

func appendBig(b []byte, v uint32) []byte {
	for shift := 32 - 8; shift >= 0; shift -= 8 {
		b = append(b, byte(v>>uint(shift)))
	}
	return b
}

func big(b []byte) (v uint32) {
	for _, c := range b[:Size] {
		v = v<<8 | uint32(c)
	}
	return v
}

// tableSum is what a marshalled state knows the table by.
func tableSum(t *Table) uint32 {
	var b []byte
	for _, v := range t {
		b = appendBig(b, v)
	}
	return ChecksumIEEE(b)
}

const magic = "crc\x01"

func (d *digest) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, magic...)
	b = appendBig(b, tableSum(d.tab))
	return appendBig(b, d.crc), nil
}

func (d *digest) MarshalBinary() ([]byte, error) { return d.AppendBinary(nil) }

func (d *digest) UnmarshalBinary(b []byte) error {
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return errors.New("hash/crc32: invalid hash state identifier")
	}
	if len(b) != len(magic)+2*Size {
		return errors.New("hash/crc32: invalid hash state size")
	}
	if big(b[len(magic):]) != tableSum(d.tab) {
		return errors.New("hash/crc32: tables do not match")
	}
	d.crc = big(b[len(magic)+Size:])
	return nil
}

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

// Update is the checksum of data after data whose checksum is crc.
func Update(crc uint32, tab *Table, p []byte) uint32 {
	for len(p) > 0 {
		n := min(len(p), 1<<16)
		crc = update(tab, crc, p[:n])
		p = p[n:]
	}
	return crc
}

// Checksum is the checksum of data.
func Checksum(data []byte, tab *Table) uint32 { return Update(0, tab, data) }

// NewIEEE starts a checksum with IEEETable.
func NewIEEE() hash.Hash32 { return New(IEEETable) }

// ChecksumIEEE is the checksum of data with IEEETable.
func ChecksumIEEE(data []byte) uint32 { return Update(0, IEEETable, data) }
