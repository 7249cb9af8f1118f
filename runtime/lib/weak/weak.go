// SPDX-License-Identifier: MIT

// Package weak has pointers that do not keep what they point to alive.
package weak

import (
	"runtime"
	"unsafe"
)

// A Pointer is a weak pointer to a T. Two are equal when they were made from
// equal pointers, even after what they point to is gone.
type Pointer[T any] struct {
	_ [0]*T
	u unsafe.Pointer
}

// handle returns the indirection of an object, resolve what it leads to.
//
//race:none
func handle(p unsafe.Pointer) unsafe.Pointer

//race:none
func resolve(u unsafe.Pointer) unsafe.Pointer

// Make makes a weak pointer from ptr.
func Make[T any](ptr *T) Pointer[T] {
	p := unsafe.Pointer(ptr)
	var u unsafe.Pointer
	if p != nil {
		u = handle(p)
	}
	runtime.KeepAlive(ptr)
	return Pointer[T]{u: u}
}

// Value returns the pointer again, or nil once what it points to has been
// reclaimed or is to be finalized.
func (p Pointer[T]) Value() *T {
	if p.u == nil {
		return nil
	}
	return (*T)(resolve(p.u))
}
