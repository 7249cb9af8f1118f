// SPDX-License-Identifier: MIT

// Package atomic has the atomic operations on memory. The functions are
// natives (native.c); all are sequentially consistent.
//
//race:natives
package atomic

import "unsafe"

//race:atomic rmw addr
func AddInt32(addr *int32, delta int32) (new int32)

//race:atomic rmw addr
func AndInt32(addr *int32, mask int32) (old int32)

//race:atomic cas addr
func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool)

//race:atomic load addr
func LoadInt32(addr *int32) (val int32)

//race:atomic rmw addr
func OrInt32(addr *int32, mask int32) (old int32)

//race:atomic store addr
func StoreInt32(addr *int32, val int32)

//race:atomic rmw addr
func SwapInt32(addr *int32, new int32) (old int32)

//race:atomic rmw addr
func AddInt64(addr *int64, delta int64) (new int64)

//race:atomic rmw addr
func AndInt64(addr *int64, mask int64) (old int64)

//race:atomic cas addr
func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool)

//race:atomic load addr
func LoadInt64(addr *int64) (val int64)

//race:atomic rmw addr
func OrInt64(addr *int64, mask int64) (old int64)

//race:atomic store addr
func StoreInt64(addr *int64, val int64)

//race:atomic rmw addr
func SwapInt64(addr *int64, new int64) (old int64)

//race:atomic rmw addr
func AddUint32(addr *uint32, delta uint32) (new uint32)

//race:atomic rmw addr
func AndUint32(addr *uint32, mask uint32) (old uint32)

//race:atomic cas addr
func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool)

//race:atomic load addr
func LoadUint32(addr *uint32) (val uint32)

//race:atomic rmw addr
func OrUint32(addr *uint32, mask uint32) (old uint32)

//race:atomic store addr
func StoreUint32(addr *uint32, val uint32)

//race:atomic rmw addr
func SwapUint32(addr *uint32, new uint32) (old uint32)

//race:atomic rmw addr
func AddUint64(addr *uint64, delta uint64) (new uint64)

//race:atomic rmw addr
func AndUint64(addr *uint64, mask uint64) (old uint64)

//race:atomic cas addr
func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool)

//race:atomic load addr
func LoadUint64(addr *uint64) (val uint64)

//race:atomic rmw addr
func OrUint64(addr *uint64, mask uint64) (old uint64)

//race:atomic store addr
func StoreUint64(addr *uint64, val uint64)

//race:atomic rmw addr
func SwapUint64(addr *uint64, new uint64) (old uint64)

//race:atomic rmw addr
func AddUintptr(addr *uintptr, delta uintptr) (new uintptr)

//race:atomic rmw addr
func AndUintptr(addr *uintptr, mask uintptr) (old uintptr)

//race:atomic cas addr
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool)

//race:atomic load addr
func LoadUintptr(addr *uintptr) (val uintptr)

//race:atomic rmw addr
func OrUintptr(addr *uintptr, mask uintptr) (old uintptr)

//race:atomic store addr
func StoreUintptr(addr *uintptr, val uintptr)

//race:atomic rmw addr
func SwapUintptr(addr *uintptr, new uintptr) (old uintptr)

//race:atomic cas addr
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool)

//race:atomic load addr
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer)

//race:atomic store addr
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer)

//race:atomic rmw addr
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer)
