// SPDX-License-Identifier: MIT

// Package crc64 is the cyclic redundancy check of 64 bits.
package crc64

import (
	"errors"
	"hash"
)

// Size is the number of bytes of a checksum.
const Size = 8

// Polynomials, the lowest bit being the highest power.
const (
	ISO  = 0xd800000000000000
	ECMA = 0xc96c5795d7870f42
)

// A Table is what a byte means for a polynomial.
type Table [256]uint64

// fill computes the table of a polynomial.
//
//go:noescape
//race:writes t
func fill(t *Table, poly uint64)

// update takes p into the checksum of what was before.
//
//go:noescape
//race:reads t, reads p
func update(t *Table, crc uint64, p []byte) uint64

// MakeTable returns the Table of a polynomial.
func MakeTable(poly uint64) *Table {
	t := new(Table)
	fill(t, poly)
	return t
}

type digest struct {
	crc uint64
	tab *Table
}

// New starts a checksum with a table.
func New(tab *Table) hash.Hash64 { return &digest{0, tab} }

func (d *digest) Size() int      { return Size }
func (d *digest) BlockSize() int { return 1 }
func (d *digest) Reset()         { d.crc = 0 }
func (d *digest) Sum64() uint64  { return d.crc }

func (d *digest) Write(p []byte) (int, error) {
	d.crc = Update(d.crc, d.tab, p)
	return len(p), nil
}

func (d *digest) Sum(b []byte) []byte { return appendBig(b, d.crc) }

func appendBig(b []byte, v uint64) []byte {
	for shift := 64 - 8; shift >= 0; shift -= 8 {
		b = append(b, byte(v>>uint(shift)))
	}
	return b
}

func big(b []byte) (v uint64) {
	for _, c := range b[:Size] {
		v = v<<8 | uint64(c)
	}
	return v
}

// tableSum is what a marshalled state knows the table by.
func tableSum(t *Table) uint64 {
	var b []byte
	for _, v := range t {
		b = appendBig(b, v)
	}
	return Checksum(b, MakeTable(ISO))
}

const magic = "crc\x02"

func (d *digest) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, magic...)
	b = appendBig(b, tableSum(d.tab))
	return appendBig(b, d.crc), nil
}

func (d *digest) MarshalBinary() ([]byte, error) { return d.AppendBinary(nil) }

func (d *digest) UnmarshalBinary(b []byte) error {
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return errors.New("hash/crc64: invalid hash state identifier")
	}
	if len(b) != len(magic)+2*Size {
		return errors.New("hash/crc64: invalid hash state size")
	}
	if big(b[len(magic):]) != tableSum(d.tab) {
		return errors.New("hash/crc64: tables do not match")
	}
	d.crc = big(b[len(magic)+Size:])
	return nil
}

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

// Update is the checksum of data after data whose checksum is crc.
func Update(crc uint64, tab *Table, p []byte) uint64 {
	for len(p) > 0 {
		n := min(len(p), 1<<16)
		crc = update(tab, crc, p[:n])
		p = p[n:]
	}
	return crc
}

// Checksum is the checksum of data.
func Checksum(data []byte, tab *Table) uint64 { return Update(0, tab, data) }
