// SPDX-License-Identifier: MIT

package atomic

import "unsafe"

// typeT stands for a type parameter: Pointer is Pointer[T] to its users.
type typeT struct{ _ byte }

// A Pointer is an atomic pointer to a T; the zero value is nil.
type Pointer struct {
	_ [0]*typeT
	_ noCopy
	v unsafe.Pointer
}

// Load returns the pointer.
func (x *Pointer) Load() *typeT { return (*typeT)(LoadPointer(&x.v)) }

// Store sets the pointer.
func (x *Pointer) Store(val *typeT) { StorePointer(&x.v, unsafe.Pointer(val)) }

// Swap sets the pointer and returns the previous one.
func (x *Pointer) Swap(new *typeT) (old *typeT) {
	return (*typeT)(SwapPointer(&x.v, unsafe.Pointer(new)))
}

// CompareAndSwap sets the pointer to new if it is old.
func (x *Pointer) CompareAndSwap(old, new *typeT) (swapped bool) {
	return CompareAndSwapPointer(&x.v, unsafe.Pointer(old), unsafe.Pointer(new))
}
