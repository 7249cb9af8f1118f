// SPDX-License-Identifier: MIT

// Package fnv is the hash functions FNV-1 and FNV-1a of Fowler, Noll and Vo.
package fnv

import (
	"errors"
	"hash"
	"math/bits"
)

const (
	offset32   = 2166136261
	offset64   = 14695981039346656037
	offsetHigh = 0x6c62272e07bb0142
	offsetLow  = 0x62b821756295c58d
	prime32    = 16777619
	prime64    = 1099511628211
	prime128   = 0x13b // and 2^88
)

// A sum is a hash in progress of one of the functions; magic is the number
// that marshalled states have.
type sum struct {
	high, low uint64 // high is for 128 bits only
	size      int    // bytes
	xorFirst  bool   // FNV-1a
	magic     byte
}

// update takes p into h, modulo 2^64.
//
//go:noescape
//race:reads p
func update(h, prime uint64, xorFirst bool, p []byte) uint64

// Sums of different size have different methods.
type sum32 struct{ sum }
type sum64 struct{ sum }

// New32 starts FNV-1 with 32 bits.
func New32() hash.Hash32 { return &sum32{start(4, false, 1)} }

// New32a starts FNV-1a with 32 bits.
func New32a() hash.Hash32 { return &sum32{start(4, true, 2)} }

// New64 starts FNV-1 with 64 bits.
func New64() hash.Hash64 { return &sum64{start(8, false, 3)} }

// New64a starts FNV-1a with 64 bits.
func New64a() hash.Hash64 { return &sum64{start(8, true, 4)} }

// New128 starts FNV-1 with 128 bits.
func New128() hash.Hash {
	s := start(16, false, 5)
	return &s
}

// New128a starts FNV-1a with 128 bits.
func New128a() hash.Hash {
	s := start(16, true, 6)
	return &s
}

func start(size int, xorFirst bool, magic byte) sum {
	s := sum{size: size, xorFirst: xorFirst, magic: magic}
	s.Reset()
	return s
}

func (s *sum) Reset() {
	switch s.size {
	case 4:
		s.low = offset32
	case 8:
		s.low = offset64
	default:
		s.high, s.low = offsetHigh, offsetLow
	}
}

func (s *sum) Size() int      { return s.size }
func (s *sum) BlockSize() int { return 1 }

func (s *sum32) Sum32() uint32 { return uint32(s.low) }
func (s *sum64) Sum64() uint64 { return s.low }

func (s *sum) Write(p []byte) (int, error) {
	n := len(p)
	switch s.size {
	case 4:
		s.low = chunks(s.low, prime32, s.xorFirst, p) & 0xffffffff
	case 8:
		s.low = chunks(s.low, prime64, s.xorFirst, p)
	default:
		for _, c := range p {
			if s.xorFirst {
				s.low ^= uint64(c)
			}
			high, low := bits.Mul64(s.low, prime128)
			s.high = high + s.high*prime128 + s.low<<24
			s.low = low
			if !s.xorFirst {
				s.low ^= uint64(c)
			}
		}
	}
	return n, nil
}

// chunks is update in pieces.
func chunks(h, prime uint64, xorFirst bool, p []byte) uint64 {
	for len(p) > 0 {
		n := min(len(p), 1<<16)
		h = update(h, prime, xorFirst, p[:n])
		p = p[n:]
	}
	return h
}

// Sum appends the bytes of the sum, the highest first.
func (s *sum) Sum(b []byte) []byte {
	for i := s.size - 1; i >= 0; i-- {
		v := s.low
		if i >= 8 {
			v = s.high
		}
		b = append(b, byte(v>>uint(i%8*8)))
	}
	return b
}

func (s *sum) AppendBinary(b []byte) ([]byte, error) {
	return s.Sum(append(b, 'f', 'n', 'v', s.magic)), nil
}

func (s *sum) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

func (s *sum) UnmarshalBinary(b []byte) error {
	if len(b) < 4 || string(b[:3]) != "fnv" || b[3] != s.magic {
		return errors.New("hash/fnv: invalid hash state identifier")
	}
	if len(b) != 4+s.size {
		return errors.New("hash/fnv: invalid hash state size")
	}
	s.high, s.low = 0, 0
	for _, c := range b[4:] {
		s.high = s.high<<8 | s.low>>56
		s.low = s.low<<8 | uint64(c)
	}
	return nil
}

func (s *sum32) Clone() (hash.Cloner, error) {
	c := *s
	return &c, nil
}

func (s *sum64) Clone() (hash.Cloner, error) {
	c := *s
	return &c, nil
}

func (s *sum) Clone() (hash.Cloner, error) {
	c := *s
	return &c, nil
}
