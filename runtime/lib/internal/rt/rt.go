// SPDX-License-Identifier: MIT

// Package rt looks at values through their type descriptors. A value of any
// type is a pair of a Type and the address of the value's memory; what lies
// behind the address is read with package unsafe or with the natives here.
package rt

import "unsafe"

// A Type is a type descriptor, or nil. Types are identical iff equal. What is
// asked for most is read here; the natives know the rest.
type Type = *desc

// desc is the beginning of struct rtype, of which native.c asserts the same
// offsets.
type desc struct {
	kind    uint8
	align   uint8
	flags   uint8
	chanDir uint8
	_       uint32
	_       *desc
	size    uintptr
	_       uintptr
	_       *byte
	_       uint32
	_       uint32
	_       [3]*byte
	elem    Type
	key     Type
	len     int
	ptrTo   Type
	fields  unsafe.Pointer // nfields times part
	nfields uint32
	params  unsafe.Pointer // nparams and nresults times Type
	nparams uint32
	nres    uint32
	_       *byte
	nmeth   uint32
}

// part is struct rfield.
type part struct {
	name     *byte
	_        *byte
	typ      Type
	tag      *byte
	off      uintptr
	embedded bool
	exported bool
}

// Bits of desc.flags.
const (
	flagDirect     = 1
	flagComparable = 2
	flagVariadic   = 16
)

// KindOf is t's kind, Invalid for nil.
func KindOf(t Type) int {
	if t == nil {
		return Invalid
	}
	return int(t.kind)
}

// Size and Align are in bytes.
func Size(t Type) uintptr { return t.size }

func Align(t Type) int { return int(t.align) }

// Comparable reports whether == is defined for t.
func Comparable(t Type) bool { return t.flags&flagComparable != 0 }

// Indirect reports whether an interface has the address of values of t, which
// is no interface, and not the value.
func Indirect(t Type) bool {
	return t.flags&flagDirect == 0 && t.kind != Interface
}

// PointerTo is PtrTo, which only has to be asked where the program has no *t.
func PointerTo(t Type) Type {
	if t.ptrTo != nil {
		return t.ptrTo
	}
	return PtrTo(t)
}

// Elem is the element type of an array, chan, map, pointer or slice type.
func Elem(t Type) Type { return t.elem }

// Key is the key type of a map type.
func Key(t Type) Type { return t.key }

// Len is the length of an array type.
func Len(t Type) int { return t.len }

// ChanDir is 1 for receiving, 2 for sending, 3 for both.
func ChanDir(t Type) int { return int(t.chanDir) }

// NumField counts the fields of a struct type; Part and the native Field
// describe one of them.
func NumField(t Type) int { return int(t.nfields) }

func Part(t Type, i int) (ft Type, off uintptr, flags int) {
	f := (*part)(unsafe.Add(t.fields, uintptr(i)*unsafe.Sizeof(part{})))
	if f.exported {
		flags = Exported
	}
	if f.embedded {
		flags |= Embedded
	}
	return f.typ, f.off, flags
}

// NameOfField is the name of field i, which has n bytes.
func NameOfField(t Type, i, n int) string {
	f := (*part)(unsafe.Add(t.fields, uintptr(i)*unsafe.Sizeof(part{})))
	return unsafe.String(f.name, n)
}

// Plain reports whether the field i is exported and has no tag: FieldTag's
// answers are empty.
func Plain(t Type, i int) bool {
	f := (*part)(unsafe.Add(t.fields, uintptr(i)*unsafe.Sizeof(part{})))
	return f.exported && f.tag == nil
}

// NumMethod counts the methods of t, unexported ones too.
func NumMethod(t Type) int { return int(t.nmeth) }

// Implements reports whether a concrete or interface type t has all methods
// of the interface type iface.
func Implements(t, iface Type) bool {
	return iface.nmeth == 0 || iface.nmeth <= t.nmeth && implements(t, iface)
}

// NumIn and NumOut count the parameters and results of a function type; In
// describes parameter i, results following the parameters.
func NumIn(t Type) int { return int(t.nparams) }

func NumOut(t Type) int { return int(t.nres) }

func In(t Type, i int) Type {
	return *(*Type)(unsafe.Add(t.params, uintptr(i)*unsafe.Sizeof(t)))
}

func Variadic(t Type) bool { return t.flags&flagVariadic != 0 }

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
