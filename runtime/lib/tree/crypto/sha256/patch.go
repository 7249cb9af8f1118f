// SPDX-License-Identifier: MIT

//go:build !go1.24

// Package sha256: whole blocks are taken by a native.
package sha256

import (
	"internal/md"
	"unsafe"
)

//go:linkname blocks internal/md.blocks
func blocks(kind int, h *[8]uint32, p []byte)

func block(dig *digest, p []byte) {
	blocks(md.SHA256, (*[8]uint32)(unsafe.Pointer(&dig.h)), p)
}
