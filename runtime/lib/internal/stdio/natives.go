// SPDX-License-Identifier: MIT

package stdio

// write writes all of b to a file descriptor; text is what went wrong.
//
//go:noescape
//race:reads b, io out
func write(fd int, b []byte) (n int, text string)

// read reads up to len(b) bytes from a file descriptor.
//
//go:noescape
//race:writes b[:n], io in
func read(fd int, b []byte) (n int, text string)
