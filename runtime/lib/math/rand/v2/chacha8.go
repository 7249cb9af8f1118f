// SPDX-License-Identifier: MIT

package rand

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// The generator is the one of C2SP's chacha8rand: ChaCha with 8 rounds makes
// four blocks at a time, whose words are interleaved; from the last of 16
// blocks it takes its next key.
const (
	atOnce  = 4  // blocks
	perKey  = 16 // blocks
	words   = 32 // 64-bit words of atOnce blocks
	keySize = 4  // 64-bit words
)

// A ChaCha8 is a strong source of random numbers.
type ChaCha8 struct {
	buf     [words]uint64
	key     [keySize]uint64
	next    uint32  // in buf
	end     uint32  // of what buf may give
	counter uint32  // the first block in buf
	bytes   [8]byte // what Read has begun: the last nbytes of it are left
	nbytes  int
}

// NewChaCha8 returns a ChaCha8 with the seed.
func NewChaCha8(seed [32]byte) *ChaCha8 {
	c := new(ChaCha8)
	c.Seed(seed)
	return c
}

// Seed restarts c as NewChaCha8 would.
func (c *ChaCha8) Seed(seed [32]byte) {
	for i := range c.key {
		c.key[i] = binary.LittleEndian.Uint64(seed[8*i:])
	}
	c.nbytes = 0
	c.begin(0)
}

// begin fills buf with the blocks from counter on.
func (c *ChaCha8) begin(counter uint32) {
	c.counter = counter
	c.fill()
	c.next, c.end = 0, words
	if counter == perKey-atOnce {
		c.end = words - keySize
	}
}

// Uint64 returns the next number.
func (c *ChaCha8) Uint64() uint64 {
	if c.next == c.end {
		if c.counter == perKey-atOnce {
			copy(c.key[:], c.buf[words-keySize:])
			c.begin(0)
		} else {
			c.begin(c.counter + atOnce)
		}
	}
	c.next++
	return c.buf[c.next-1]
}

// Read fills p and returns its length; what it takes are whole numbers, of
// which it keeps the rest for the next Read.
func (c *ChaCha8) Read(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if c.nbytes == 0 {
			binary.LittleEndian.PutUint64(c.bytes[:], c.Uint64())
			c.nbytes = len(c.bytes)
		}
		k := copy(p, c.bytes[len(c.bytes)-c.nbytes:])
		p = p[k:]
		c.nbytes -= k
	}
	return n, nil
}

// fill makes four blocks. Word i of block b is the half b%2 of word i*2+b/2 of
// buf.
func (c *ChaCha8) fill() {
	var key [8]uint32
	for i, k := range c.key {
		key[2*i], key[2*i+1] = uint32(k), uint32(k>>32)
	}
	for b := uint32(0); b < atOnce; b++ {
		x := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}
		copy(x[4:], key[:])
		x[12] = c.counter + b
		for round := 0; round < 8; round += 2 {
			for i := 0; i < 4; i++ {
				quarter(&x, i, 4+i, 8+i, 12+i)
			}
			for i := 0; i < 4; i++ {
				quarter(&x, i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
			}
		}
		for i, w := range x {
			if 4 <= i && i < 12 {
				w += key[i-4]
			}
			at, shift := 2*i+int(b/2), b%2*32
			c.buf[at] = c.buf[at]&^(0xffffffff<<shift) | uint64(w)<<shift
		}
	}
}

// quarter is ChaCha's quarter round.
func quarter(x *[16]uint32, i, j, k, l int) {
	a, b, c, d := x[i], x[j], x[k], x[l]
	a += b
	d = bits.RotateLeft32(d^a, 16)
	c += d
	b = bits.RotateLeft32(b^c, 12)
	a += b
	d = bits.RotateLeft32(d^a, 8)
	c += d
	b = bits.RotateLeft32(b^c, 7)
	x[i], x[j], x[k], x[l] = a, b, c, d
}

// AppendBinary appends the state to b.
func (c *ChaCha8) AppendBinary(b []byte) ([]byte, error) {
	if c.nbytes > 0 {
		b = append(b, "readbuf:"...)
		b = append(b, byte(c.nbytes))
		b = append(b, c.bytes[len(c.bytes)-c.nbytes:]...)
	}
	b = append(b, "chacha8:"...)
	// How many numbers were taken from this key.
	used := c.counter/atOnce*words + c.next
	b = binary.BigEndian.AppendUint64(b, uint64(used))
	for _, k := range c.key {
		b = binary.LittleEndian.AppendUint64(b, k)
	}
	return b, nil
}

// MarshalBinary returns the state.
func (c *ChaCha8) MarshalBinary() ([]byte, error) { return c.AppendBinary(make([]byte, 0, 64)) }

var (
	errRead  = errors.New("invalid ChaCha8 Read buffer encoding")
	errState = errors.New("invalid ChaCha8 encoding")
)

// UnmarshalBinary sets the state to what MarshalBinary has returned.
func (c *ChaCha8) UnmarshalBinary(data []byte) error {
	left := 0
	if len(data) >= 8 && string(data[:8]) == "readbuf:" {
		if len(data) < 9 || len(data)-9 < int(data[8]) || data[8] > 8 {
			return errRead
		}
		left = int(data[8])
		copy(c.bytes[len(c.bytes)-left:], data[9:])
		data = data[9+left:]
	}
	if len(data) != 8+8+32 || string(data[:8]) != "chacha8:" {
		return errState
	}
	used := binary.BigEndian.Uint64(data[8:])
	if used > perKey/atOnce*words-keySize {
		return errState
	}
	c.Seed([32]byte(data[16:]))
	c.nbytes = left
	if at := uint32(used); at > 0 {
		// A full buffer counts as used up, not as the next one's beginning.
		c.begin((at - 1) / words * atOnce)
		c.next = (at-1)%words + 1
	}
	return nil
}
