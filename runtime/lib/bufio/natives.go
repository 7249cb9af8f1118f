// SPDX-License-Identifier: MIT

package bufio

// indexByte is the index of the first c in b, or -1.
//
//go:noescape
//race:reads b upto r
func indexByte(b []byte, c byte) int
