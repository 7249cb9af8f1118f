// SPDX-License-Identifier: MIT

package atomic

import "unsafe"

// A Pointer is an atomic pointer to a T; the zero value is nil.
type Pointer[T any] struct {
	_ [0]*T // no conversion to a pointer to something else
	_ noCopy
	v unsafe.Pointer
}

// Load returns the pointer.
func (x *Pointer[T]) Load() *T { return (*T)(LoadPointer(&x.v)) }

// Store sets the pointer.
func (x *Pointer[T]) Store(val *T) { StorePointer(&x.v, unsafe.Pointer(val)) }

// Swap sets the pointer and returns the previous one.
func (x *Pointer[T]) Swap(new *T) (old *T) {
	return (*T)(SwapPointer(&x.v, unsafe.Pointer(new)))
}

// CompareAndSwap sets the pointer to new if it is old.
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	return CompareAndSwapPointer(&x.v, unsafe.Pointer(old), unsafe.Pointer(new))
}
