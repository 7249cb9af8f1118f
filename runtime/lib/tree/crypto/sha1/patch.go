// SPDX-License-Identifier: MIT

// Package sha1: whole blocks are taken by a native.
package sha1

import (
	"internal/md"
	"unsafe"
)

//go:linkname blocks internal/md.blocks
func blocks(kind int, h *[8]uint32, p []byte)

func block(dig *digest, p []byte) {
	blocks(md.SHA1, (*[8]uint32)(unsafe.Pointer(&dig.h)), p)
}
