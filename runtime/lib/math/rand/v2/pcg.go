// SPDX-License-Identifier: MIT

package rand

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// A PCG is O'Neill's permuted congruential generator with 128 bits of state
// and the DXSM output function.
type PCG struct {
	hi, lo uint64
}

// NewPCG returns a PCG with the seed.
func NewPCG(seed1, seed2 uint64) *PCG { return &PCG{seed1, seed2} }

// Seed restarts p as NewPCG would.
func (p *PCG) Seed(seed1, seed2 uint64) { p.hi, p.lo = seed1, seed2 }

// Uint64 returns the next number.
func (p *PCG) Uint64() uint64 {
	const (
		mulHi, mulLo = 2549297995355413924, 4865540595714422341
		addHi, addLo = 6364136223846793005, 1442695040888963407
		cheap        = 0xda942042e4dd58b5
	)
	hi, lo := bits.Mul64(p.lo, mulLo)
	hi += p.hi*mulLo + p.lo*mulHi
	lo, carry := bits.Add64(lo, addLo, 0)
	hi += addHi + carry
	p.hi, p.lo = hi, lo
	hi ^= hi >> 32
	hi *= cheap
	hi ^= hi >> 48
	return hi * (lo | 1)
}

// AppendBinary appends the state to b.
func (p *PCG) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, "pcg:"...)
	b = binary.BigEndian.AppendUint64(b, p.hi)
	return binary.BigEndian.AppendUint64(b, p.lo), nil
}

// MarshalBinary returns the state.
func (p *PCG) MarshalBinary() ([]byte, error) { return p.AppendBinary(nil) }

var errPCG = errors.New("invalid PCG encoding")

// UnmarshalBinary sets the state to what MarshalBinary has returned.
func (p *PCG) UnmarshalBinary(data []byte) error {
	if len(data) != 20 || string(data[:4]) != "pcg:" {
		return errPCG
	}
	p.hi = binary.BigEndian.Uint64(data[4:])
	p.lo = binary.BigEndian.Uint64(data[12:])
	return nil
}
