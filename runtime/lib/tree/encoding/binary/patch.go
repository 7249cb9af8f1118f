// SPDX-License-Identifier: MIT

// Package binary: what lies in the order of x86-64 is one load or store, and
// its bytes are turned round for the other.
package binary

import (
	"math/bits"
	"unsafe"
)

func (littleEndian) Uint16(b []byte) uint16 {
	_ = b[1]
	return *(*uint16)(unsafe.Pointer(unsafe.SliceData(b)))
}

func (littleEndian) Uint32(b []byte) uint32 {
	_ = b[3]
	return *(*uint32)(unsafe.Pointer(unsafe.SliceData(b)))
}

func (littleEndian) Uint64(b []byte) uint64 {
	_ = b[7]
	return *(*uint64)(unsafe.Pointer(unsafe.SliceData(b)))
}

func (littleEndian) PutUint16(b []byte, v uint16) {
	_ = b[1]
	*(*uint16)(unsafe.Pointer(unsafe.SliceData(b))) = v
}

func (littleEndian) PutUint32(b []byte, v uint32) {
	_ = b[3]
	*(*uint32)(unsafe.Pointer(unsafe.SliceData(b))) = v
}

func (littleEndian) PutUint64(b []byte, v uint64) {
	_ = b[7]
	*(*uint64)(unsafe.Pointer(unsafe.SliceData(b))) = v
}

func (bigEndian) Uint32(b []byte) uint32 {
	_ = b[3]
	return bits.ReverseBytes32(*(*uint32)(unsafe.Pointer(unsafe.SliceData(b))))
}

func (bigEndian) Uint64(b []byte) uint64 {
	_ = b[7]
	return bits.ReverseBytes64(*(*uint64)(unsafe.Pointer(unsafe.SliceData(b))))
}

func (bigEndian) PutUint32(b []byte, v uint32) {
	_ = b[3]
	*(*uint32)(unsafe.Pointer(unsafe.SliceData(b))) = bits.ReverseBytes32(v)
}

func (bigEndian) PutUint64(b []byte, v uint64) {
	_ = b[7]
	*(*uint64)(unsafe.Pointer(unsafe.SliceData(b))) = bits.ReverseBytes64(v)
}
