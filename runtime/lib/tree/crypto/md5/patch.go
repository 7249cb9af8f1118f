// SPDX-License-Identifier: MIT

// Package md5: whole blocks are taken by a native.
package md5

import (
	"internal/md"
	"unsafe"
)

//go:linkname blocks internal/md.blocks
func blocks(kind int, h *[8]uint32, p []byte)

func block(dig *digest, p []byte) {
	blocks(md.MD5, (*[8]uint32)(unsafe.Pointer(&dig.s)), p)
}
