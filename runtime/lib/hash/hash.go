// SPDX-License-Identifier: MIT

// Package hash has the interfaces of hash functions.
package hash

import "io"

// A Hash takes data by Write, which never fails.
type Hash interface {
	io.Writer

	// Sum appends the hash of what was written to b.
	Sum(b []byte) []byte

	// Reset forgets what was written.
	Reset()

	// Size is the number of bytes that Sum appends.
	Size() int

	// BlockSize is a number of bytes that Write likes multiples of.
	BlockSize() int
}

// A Hash32 has a sum of 32 bits.
type Hash32 interface {
	Hash
	Sum32() uint32
}

// A Hash64 has a sum of 64 bits.
type Hash64 interface {
	Hash
	Sum64() uint64
}

// A Cloner copies itself with its state.
type Cloner interface {
	Hash
	Clone() (Cloner, error)
}

// An XOF makes as much output as is read from it.
type XOF interface {
	io.Writer
	io.Reader
	Reset()
	BlockSize() int
}
