// SPDX-License-Identifier: MIT

// Package bytealg has assembly in Go: these are the natives of bytes and
// strings.
package bytealg

//native bytes.IndexByte
//race:reads b upto r
func IndexByte(b []byte, c byte) int

//native strings.IndexByte
//race:none
func IndexByteString(s string, c byte) int

//native bytes.Compare
//race:reads a, reads b
func Compare(a, b []byte) int

// MakeNoZero has nothing to gain by not clearing: all memory of the heap is
// zero.  What it makes has no room that the heap would waste.
func MakeNoZero(n int) []byte { return append([]byte(nil), make([]byte, n)...) }
