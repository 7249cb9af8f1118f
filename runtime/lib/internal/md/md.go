// SPDX-License-Identifier: MIT

// Package md is what MD5, SHA-1 and SHA-256 have in common: blocks of 64
// bytes, a state of 32-bit words, and an end that holds the length.
package md

import "errors"

// Inner functions, as numbered in hashes.h.
const (
	MD5 = iota
	SHA1
	SHA256
)

// BlockSize is in bytes.
const BlockSize = 64

// A Kind is a hash function.
type Kind struct {
	Pkg   string // for messages
	Magic string // begins a marshalled state
	Inner int
	Words int // of state
	Size  int // bytes of result
	Init  [8]uint32
}

// A Digest is a hash in progress.
type Digest struct {
	kind *Kind
	h    [8]uint32
	rest [BlockSize]byte // what is not a whole block yet
	n    uint64          // bytes written
}

// blocks takes the whole blocks of p into h.
//
//race:writes h, reads p
func blocks(kind int, h *[8]uint32, p []byte)

// Init prepares d.
func (d *Digest) Init(kind *Kind) {
	d.kind = kind
	d.Reset()
}

func (d *Digest) Reset() {
	d.h = d.kind.Init
	d.n = 0
}

func (d *Digest) Size() int      { return d.kind.Size }
func (d *Digest) BlockSize() int { return BlockSize }

func (d *Digest) Write(p []byte) (int, error) {
	n := len(p)
	have := int(d.n % BlockSize)
	d.n += uint64(n)
	if have > 0 {
		k := copy(d.rest[have:], p)
		p = p[k:]
		if have+k < BlockSize {
			return n, nil
		}
		blocks(d.kind.Inner, &d.h, d.rest[:])
	}
	for len(p) >= BlockSize {
		k := min(len(p)/BlockSize*BlockSize, 1<<16)
		blocks(d.kind.Inner, &d.h, p[:k])
		p = p[k:]
	}
	copy(d.rest[:], p)
	return n, nil
}

// word writes w at b in the function's order of bytes.
func (d *Digest) word(b []byte, w uint32) {
	if d.kind.Inner == MD5 {
		b[0], b[1], b[2], b[3] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
	} else {
		b[0], b[1], b[2], b[3] = byte(w>>24), byte(w>>16), byte(w>>8), byte(w)
	}
}

// Sum appends the hash; d can go on.
func (d *Digest) Sum(b []byte) []byte {
	out := d.Result()
	return append(b, out[:d.kind.Size]...)
}

// Result is the hash, in the first bytes.
func (d *Digest) Result() (out [32]byte) {
	c := *d
	var end [2 * BlockSize]byte
	end[0] = 0x80
	k := 1
	for (int(c.n%BlockSize)+k)%BlockSize != BlockSize-8 {
		k++
	}
	low, high := uint32(c.n<<3), uint32(c.n>>29)
	if c.kind.Inner == MD5 {
		low, high = high, low
	}
	c.word(end[k:], high)
	c.word(end[k+4:], low)
	c.Write(end[:k+8])
	for i := 0; 4*i < c.kind.Size; i++ {
		c.word(out[4*i:], c.h[i])
	}
	return out
}

func appendBig(b []byte, v uint64, n int) []byte {
	for i := n - 1; i >= 0; i-- {
		b = append(b, byte(v>>uint(8*i)))
	}
	return b
}

func big(b []byte, n int) (v uint64) {
	for _, c := range b[:n] {
		v = v<<8 | uint64(c)
	}
	return v
}

// AppendBinary appends the state.
func (d *Digest) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, d.kind.Magic...)
	for _, w := range d.h[:d.kind.Words] {
		b = appendBig(b, uint64(w), 4)
	}
	have := int(d.n % BlockSize)
	b = append(b, d.rest[:have]...)
	b = append(b, make([]byte, BlockSize-have)...)
	return appendBig(b, d.n, 8), nil
}

func (d *Digest) MarshalBinary() ([]byte, error) { return d.AppendBinary(nil) }

// UnmarshalBinary takes a state that AppendBinary made.
func (d *Digest) UnmarshalBinary(b []byte) error {
	m := d.kind.Magic
	if len(b) < len(m) || string(b[:len(m)]) != m {
		return errors.New(d.kind.Pkg + ": invalid hash state identifier")
	}
	if len(b) != len(m)+4*d.kind.Words+BlockSize+8 {
		return errors.New(d.kind.Pkg + ": invalid hash state size")
	}
	b = b[len(m):]
	for i := 0; i < d.kind.Words; i++ {
		d.h[i] = uint32(big(b, 4))
		b = b[4:]
	}
	copy(d.rest[:], b)
	d.n = big(b[BlockSize:], 8)
	return nil
}
