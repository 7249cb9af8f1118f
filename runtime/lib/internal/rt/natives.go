// SPDX-License-Identifier: MIT

package rt

import "unsafe"

// TypeOf is the dynamic type of x, nil if x is nil.
func TypeOf(x any) Type

// Unpack is TypeOf(x) and the word that x holds: the value if it is a pointer,
// else its address. x is not nil.
func Unpack(x any) (t Type, p unsafe.Pointer)

// FuncPC is the first pc of the function behind a func value, 0 for nil.
func FuncPC(fn unsafe.Pointer) uintptr

// Addr is the address of the value in x, which must not be written. A value
// that is one pointer is copied to a new cell first.
func Addr(x any) unsafe.Pointer

// Make boxes a copy of the value of type t at p. If t is an interface type
// the result is what the interface holds.
func Make(t Type, p unsafe.Pointer) any

// KindOf is t's kind, Invalid for nil.
func KindOf(t Type) int

// Size and Align are in bytes.
func Size(t Type) uintptr
func Align(t Type) int

// TypeString is the text of %T; Name and PkgPath are empty for unnamed types.
func TypeString(t Type) string
func Name(t Type) string
func PkgPath(t Type) string

// Comparable reports whether == is defined for t.
func Comparable(t Type) bool

// Elem is the element type of an array, chan, map, pointer or slice type.
func Elem(t Type) Type

// Key is the key type of a map type.
func Key(t Type) Type

// PtrTo and the functions after it are the types with these parts: the
// program's, or else made by the first who asks. ArrayOf returns nil if the
// array would be larger than any memory. types are the parameters, nin of
// them, and the results; a map's key is comparable.
func PtrTo(t Type) Type
func SliceOf(t Type) Type
func ArrayOf(n int, t Type) Type
func MapOf(key, t Type) Type
func ChanOf(dir int, t Type) Type
func FuncOf(types []Type, nin int, variadic bool) Type

// A Made is a field of a struct type that StructOf makes. Pkg is the package
// of an unexported one; texts end with a zero byte. flags: see Field.
type Made struct {
	Name  *byte
	Pkg   *byte
	Typ   Type
	Tag   *byte
	Flags int
}

func StructOf(fields []Made) Type

// Len is the length of an array type.
func Len(t Type) int

// ChanDir is 1 for receiving, 2 for sending, 3 for both.
func ChanDir(t Type) int

// NumField counts the fields of a struct type; Field describes one of them.
func NumField(t Type) int
func Field(t Type, i int) (name string, ft Type, off uintptr, flags int)
func FieldTag(t Type, i int) (tag, pkg string)

// NumMethod counts the methods of t, unexported ones too.
func NumMethod(t Type) int
func Method(t Type, i int) (name string, mt Type, exported bool)

// MethodPkg is the package of an unexported method.
func MethodPkg(t Type, i int) string

// NumIn and NumOut count the parameters and results of a function type; In
// describes parameter i, results following the parameters.
func NumIn(t Type) int
func NumOut(t Type) int
func In(t Type, i int) Type
func Variadic(t Type) bool

// Implements reports whether a concrete or interface type t has all methods
// of the interface type iface.
func Implements(t, iface Type) bool

// MakeMap makes a map of type t with room for n entries.
func MakeMap(t Type, n int) unsafe.Pointer

// MapLen is the number of entries of the map m (the word of a map variable).
func MapLen(m unsafe.Pointer) int

// MapEntries copies all entries of a map of type t into an array of keys and
// an array of values, in no particular order.
func MapEntries(t Type, m unsafe.Pointer) (keys, vals unsafe.Pointer, n int)

// MapGet is the address of the value of the key at k, nil if there is none.
func MapGet(t Type, m, k unsafe.Pointer) unsafe.Pointer

// MapSet stores a copy of the value at v under a copy of the key at k.
func MapSet(t Type, m, k, v unsafe.Pointer)

// MapDelete removes the entry of the key at k.
func MapDelete(t Type, m, k unsafe.Pointer)

// MapClear removes all entries of a map of type t.
func MapClear(t Type, m unsafe.Pointer)

// Caller makes a func(fn, args, results unsafe.Pointer) that calls fn, of the
// function type t: args and results are arrays of the addresses of the values.
// If method, fn is a method's code and args begins with the receiver's word.
// It is nil if t has more parameters than a frame can have.
func Caller(t Type, method bool) unsafe.Pointer

// FuncCode is the first word of a function value of type t. The second word is
// passed to body, with the addresses of the arguments; the result is an array
// of the addresses of the results. It is 0 as Caller is nil.
func FuncCode(t Type, body func(impl, args unsafe.Pointer) unsafe.Pointer) uintptr

// MethodCode is the code of method i of the concrete type t; programs that
// reach this function have the code of all exported methods.
func MethodCode(t Type, i int) unsafe.Pointer

// IfaceCode is the code of the concrete type t for method i of iface, which t
// implements.
func IfaceCode(iface Type, i int, t Type) unsafe.Pointer

// A Comm is a communication of Select on a channel, the word of a variable. At
// Cell is the value in slots: as in memory, but narrow integers and bools are
// extended to 64 bits.
type Comm struct {
	Chan unsafe.Pointer
	Cell unsafe.Pointer
	Send bool
}

// Select waits for one of the communications, or not at all if !block, and
// does it; Selected, called next, says which, -1 for none, and whether a value
// was received.
func Select(comms []Comm, block bool)
func Selected() (chosen int, ok bool)

// MakeChan makes a channel of type t.
func MakeChan(t Type, n int) unsafe.Pointer

// Close closes the channel c.
func Close(c unsafe.Pointer)

// ChanLen and ChanCap take the word of a chan variable.
func ChanLen(c unsafe.Pointer) int
func ChanCap(c unsafe.Pointer) int

// New allocates n zero values of type t, one after another.
func New(t Type, n int) unsafe.Pointer

// Grow makes room for n more elements of type t in the slice s, as append does.
func Grow(t Type, s *SliceHeader, n int)

// Copy copies a value of type t.
func Copy(t Type, dst, src unsafe.Pointer)

// SetIface stores x in a variable of the interface type t, which x implements.
func SetIface(t Type, dst unsafe.Pointer, x any)

// Swap exchanges two values of type t.
func Swap(t Type, p, q unsafe.Pointer)

// Equal is ==, with its panics.
func Equal(t Type, p, q unsafe.Pointer) bool

// SwapPointer stores new in *p and returns what was there, atomically.
func SwapPointer(p *unsafe.Pointer, new unsafe.Pointer) unsafe.Pointer
