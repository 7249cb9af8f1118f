// SPDX-License-Identifier: MIT

// Package byteorder: what lies in the order of x86-64 is one load or store, and
// its bytes are turned round for the other.
package byteorder

import (
	"math/bits"
	"unsafe"
)

func LEUint16(b []byte) uint16 {
	_ = b[1]
	return *(*uint16)(unsafe.Pointer(unsafe.SliceData(b)))
}

func LEUint32(b []byte) uint32 {
	_ = b[3]
	return *(*uint32)(unsafe.Pointer(unsafe.SliceData(b)))
}

func LEUint64(b []byte) uint64 {
	_ = b[7]
	return *(*uint64)(unsafe.Pointer(unsafe.SliceData(b)))
}

func LEPutUint16(b []byte, v uint16) {
	_ = b[1]
	*(*uint16)(unsafe.Pointer(unsafe.SliceData(b))) = v
}

func LEPutUint32(b []byte, v uint32) {
	_ = b[3]
	*(*uint32)(unsafe.Pointer(unsafe.SliceData(b))) = v
}

func LEPutUint64(b []byte, v uint64) {
	_ = b[7]
	*(*uint64)(unsafe.Pointer(unsafe.SliceData(b))) = v
}

func BEUint32(b []byte) uint32 {
	_ = b[3]
	return bits.ReverseBytes32(*(*uint32)(unsafe.Pointer(unsafe.SliceData(b))))
}

func BEUint64(b []byte) uint64 {
	_ = b[7]
	return bits.ReverseBytes64(*(*uint64)(unsafe.Pointer(unsafe.SliceData(b))))
}

func BEPutUint32(b []byte, v uint32) {
	_ = b[3]
	*(*uint32)(unsafe.Pointer(unsafe.SliceData(b))) = bits.ReverseBytes32(v)
}

func BEPutUint64(b []byte, v uint64) {
	_ = b[7]
	*(*uint64)(unsafe.Pointer(unsafe.SliceData(b))) = bits.ReverseBytes64(v)
}
