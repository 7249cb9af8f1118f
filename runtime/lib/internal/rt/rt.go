// SPDX-License-Identifier: MIT

// Package rt looks at values through their type descriptors. A value of any
// type is a pair of a Type and the address of the value's memory; what lies
// behind the address is read with package unsafe or with the natives here.
package rt

import "unsafe"

// A Type is a type descriptor, or nil. Types are identical iff equal.
type Type = *desc

type desc struct{ _ uintptr }

// The kinds, numbered as reflect.Kind.
const (
	Invalid = iota
	Bool
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	Complex64
	Complex128
	Array
	Chan
	Func
	Interface
	Map
	Pointer
	Slice
	String
	Struct
	UnsafePointer
)

// A Holder is a reflect.Value: a value of type t at p, whose methods may not
// be used if ro. t is nil if there is none.
type Holder interface {
	RTValue() (t Type, p unsafe.Pointer, ro bool)
}

// Bits of a field's flags.
const (
	Exported = 1 << iota
	Embedded
)

// SliceHeader is a slice in memory.
type SliceHeader struct {
	Data unsafe.Pointer
	Len  int
	Cap  int
}

// Load reads an integer of the given kind at p: signed ones sign-extended.
func Load(kind int, p unsafe.Pointer) uint64 {
	switch kind {
	case Int, Int64:
		return *(*uint64)(p)
	case Int32:
		return uint64(*(*int32)(p))
	case Int16:
		return uint64(*(*int16)(p))
	case Int8:
		return uint64(*(*int8)(p))
	case Uint8, Bool:
		return uint64(*(*uint8)(p))
	case Uint16:
		return uint64(*(*uint16)(p))
	case Uint32:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p) // Uint, Uint64, Uintptr and pointers
}

// Store writes the low bits of v as an integer of the given kind at p.
func Store(kind int, p unsafe.Pointer, v uint64) {
	switch kind {
	case Int32, Uint32:
		*(*uint32)(p) = uint32(v)
	case Int16, Uint16:
		*(*uint16)(p) = uint16(v)
	case Int8, Uint8, Bool:
		*(*uint8)(p) = uint8(v)
	default:
		*(*uint64)(p) = v
	}
}

// Size in bits of the integer and float kinds.
func Bits(kind int) int {
	switch kind {
	case Int8, Uint8:
		return 8
	case Int16, Uint16:
		return 16
	case Int32, Uint32, Float32:
		return 32
	}
	return 64
}

// At is the address of element i of an array of t's that begins at base.
func At(base unsafe.Pointer, i int, size uintptr) unsafe.Pointer {
	return unsafe.Pointer(uintptr(base) + uintptr(i)*size)
}
