// run
// SPDX-License-Identifier: MIT

// Packages hash/... and crypto/..., whole and in pieces.
package main

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
	"os"
)

// tee prints the first lines and sums up all.
type tee struct {
	lines int
	sum   hash.Hash32
}

func (t *tee) Write(p []byte) (int, error) {
	t.sum.Write(p)
	if t.lines > 0 {
		t.lines--
		os.Stdout.Write(p)
	}
	return len(p), nil
}

var out = &tee{60, crc32.NewIEEE()}

func main() {
	defer func() { fmt.Printf("%08x\n", out.sum.Sum32()) }()
	mk := []func() hash.Hash{
		md5.New, sha1.New, sha256.New, sha256.New224,
		func() hash.Hash { return adler32.New() },
		func() hash.Hash { return crc32.NewIEEE() },
		func() hash.Hash { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) },
		func() hash.Hash { return crc32.New(crc32.MakeTable(crc32.Koopman)) },
		func() hash.Hash { return crc64.New(crc64.MakeTable(crc64.ISO)) },
		func() hash.Hash { return crc64.New(crc64.MakeTable(crc64.ECMA)) },
		func() hash.Hash { return fnv.New32() },
		func() hash.Hash { return fnv.New32a() },
		func() hash.Hash { return fnv.New64() },
		func() hash.Hash { return fnv.New64a() },
		fnv.New128, fnv.New128a,
	}
	data := make([]byte, 200000)
	x := uint32(7)
	for i := range data {
		x = x*1664525 + 1013904223
		data[i] = byte(x >> 24)
	}
	for k, f := range mk {
		for _, n := range []int{0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 65536, 70000, 200000} {
			h := f()
			h.Write(data[:n])
			fmt.Fprintf(out, "%d %d %x %d %d\n", k, n, h.Sum([]byte{1}), h.Size(), h.BlockSize())
		}
		for c := 1; c < 200; c += 13 {
			h := f()
			for i := 0; i < 3000; i += c {
				h.Write(data[i:min(i+c, 3000)])
			}
			fmt.Fprintf(out, "%d %d %x\n", k, c, h.Sum(nil))
			b, err := h.(encoding.BinaryMarshaler).MarshalBinary()
			fmt.Fprintf(out, "%x %v\n", b, err)
			g := f()
			err = g.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
			g.Write(data[:c])
			fmt.Fprintf(out, "%v %x\n", err, g.Sum(nil))
			fmt.Fprintln(out, g.(encoding.BinaryUnmarshaler).UnmarshalBinary(b[1:]), g.(encoding.BinaryUnmarshaler).UnmarshalBinary(b[:len(b)-1]))
			g.Reset()
			fmt.Fprintf(out, "%x\n", g.Sum(nil))
		}
	}
	fmt.Fprintf(out, "%x %x %x %x\n", md5.Sum(data), sha1.Sum(data), sha256.Sum256(data), sha256.Sum224(data))
	fmt.Fprintln(out, crc32.ChecksumIEEE(data), adler32.Checksum(data), crc32.MakeTable(crc32.IEEE)[77])
}
