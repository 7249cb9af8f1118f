// SPDX-License-Identifier: MIT

// Package byteorder: what lies in the order of x86-64 is one load or store.
package byteorder

import "unsafe"

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
