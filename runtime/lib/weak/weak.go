// SPDX-License-Identifier: MIT

// Package weak has pointers that do not keep what they point to alive.
package weak

import (
	"runtime"
	"unsafe"
)

// typeT stands for a type parameter: Pointer is Pointer[T], Make is Make[T]
// to its users.
type typeT struct{ _ byte }

// A Pointer is a weak pointer to a T. Two are equal when they were made from
// equal pointers, even after what they point to is gone.
type Pointer struct {
	_ [0]*typeT
	u unsafe.Pointer
}

// handle returns the indirection of an object, resolve what it leads to.
func handle(p unsafe.Pointer) unsafe.Pointer
func resolve(u unsafe.Pointer) unsafe.Pointer

// Make makes a weak pointer from ptr.
func Make(ptr *typeT) Pointer {
	p := unsafe.Pointer(ptr)
	var u unsafe.Pointer
	if p != nil {
		u = handle(p)
	}
	runtime.KeepAlive(ptr)
	return Pointer{u: u}
}

// Value returns the pointer again, or nil once what it points to has been
// reclaimed or is to be finalized.
func (p Pointer) Value() *typeT {
	if p.u == nil {
		return nil
	}
	return (*typeT)(resolve(p.u))
}
