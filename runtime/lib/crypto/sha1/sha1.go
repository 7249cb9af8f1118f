// SPDX-License-Identifier: MIT

// Package sha1 is the hash function SHA-1 (RFC 3174), which is not safe any more.
package sha1

import (
	"hash"
	"internal/md"
)

// Size is the number of bytes of a checksum.
const Size = 20

// BlockSize is the number of bytes that are hashed at a time.
const BlockSize = md.BlockSize

var kind = md.Kind{
	Pkg:   "crypto/sha1",
	Magic: "sha\x01",
	Inner: md.SHA1,
	Words: 5,
	Size:  Size,
	Init:  [8]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
}

type digest struct{ md.Digest }

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

// New starts a checksum.
func New() hash.Hash {
	d := new(digest)
	d.Init(&kind)
	return d
}

// Sum is the checksum of data.
func Sum(data []byte) [Size]byte {
	var d md.Digest
	d.Init(&kind)
	d.Write(data)
	out := d.Result()
	return [Size]byte(out[:Size])
}
