// SPDX-License-Identifier: MIT

// Package sha256 is the hash function SHA-256 (FIPS 180-4), and SHA-224.
package sha256

import (
	"hash"
	"internal/md"
)

// Size is the number of bytes of a checksum.
const Size = 32

// BlockSize is the number of bytes that are hashed at a time.
const BlockSize = md.BlockSize

var kind = md.Kind{
	Pkg:   "crypto/sha256",
	Magic: "sha\x03",
	Inner: md.SHA256,
	Words: 8,
	Size:  Size,
	Init: [8]uint32{
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	},
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

// Sum256 is the checksum of data.
func Sum256(data []byte) [Size]byte {
	var d md.Digest
	d.Init(&kind)
	d.Write(data)
	out := d.Result()
	return [Size]byte(out[:Size])
}

// Size224 is Size for SHA-224.
const Size224 = 28

var kind224 = md.Kind{
	Pkg:   "crypto/sha256",
	Magic: "sha\x02",
	Inner: md.SHA256,
	Words: 8,
	Size:  Size224,
	Init: [8]uint32{
		0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
		0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
	},
}

// New224 starts a checksum of SHA-224.
func New224() hash.Hash {
	d := new(digest)
	d.Init(&kind224)
	return d
}

// Sum224 is the SHA-224 checksum of data.
func Sum224(data []byte) [Size224]byte {
	var d md.Digest
	d.Init(&kind224)
	d.Write(data)
	out := d.Result()
	return [Size224]byte(out[:Size224])
}
