// SPDX-License-Identifier: MIT

package rt

import "unsafe"

// TypeOf is the dynamic type of x, nil if x is nil.
//
//race:none
func TypeOf(x any) Type

// Unpack is TypeOf(x) and the word that x holds: the value if it is a pointer,
// else its address. x is not nil.
//
//race:none
func Unpack(x any) (t Type, p unsafe.Pointer)

// FuncPC is where the function behind a func value begins (vm_func_address), 0
// for nil; of one that was made it is what the value says.
//
//race:none
func FuncPC(fn unsafe.Pointer) uintptr

// Addr is the address of the value in x, which must not be written. A value
// that is one pointer is copied to a new cell first.
//
//race:none
func Addr(x any) unsafe.Pointer

// Make boxes a copy of the value of type t at p. If t is an interface type
// the result is what the interface holds.
//
//race:reads p as t
func Make(t Type, p unsafe.Pointer) any

// TypeString is the text of %T; Name and PkgPath are empty for unnamed types.
//
//race:none
func TypeString(t Type) string

//race:none
func Name(t Type) string

//race:none
func PkgPath(t Type) string

// PtrTo and the functions after it are the types with these parts: the
// program's, or else made by the first who asks. ArrayOf returns nil if the
// array would be larger than any memory. types are the parameters, nin of
// them, and the results; a map's key is comparable.
//
//race:none
func PtrTo(t Type) Type

//race:none
func SliceOf(t Type) Type

//race:none
func ArrayOf(n int, t Type) Type

//race:none
func MapOf(key, t Type) Type

//race:none
func ChanOf(dir int, t Type) Type

//race:reads types
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

//race:reads fields
func StructOf(fields []Made) Type

// Field is what Part is, with the name.
//
//race:none
func Field(t Type, i int) (name string, ft Type, off uintptr, flags int)

// FieldNamed is the index of the field of that name, -1 if there is none; embeds
// reports then whether another is embedded.
//
//race:none
func FieldNamed(t Type, name string) (i int, embeds bool)

//race:none
func FieldTag(t Type, i int) (tag, pkg string)

//race:none
func Method(t Type, i int) (name string, mt Type, exported bool)

// MethodPkg is the package of an unexported method.
//
//race:none
func MethodPkg(t Type, i int) string

//race:none
func implements(t, iface Type) bool

// MakeMap makes a map of type t with room for n entries.
//
//race:none
func MakeMap(t Type, n int) unsafe.Pointer

// MapLen is the number of entries of the map m (the word of a map variable).
//
//race:reads m:8
func MapLen(m unsafe.Pointer) int

// MapEntries copies all entries of a map of type t into an array of keys and
// an array of values, in no particular order.
//
//race:reads m:8
func MapEntries(t Type, m unsafe.Pointer) (keys, vals unsafe.Pointer, n int)

// MapGet is the address of the value of the key at k, nil if there is none.
//
//race:reads m:8, reads k as t.key
func MapGet(t Type, m, k unsafe.Pointer) unsafe.Pointer

// MapSet stores a copy of the value at v under a copy of the key at k.
//
//race:writes m:8, reads k as t.key, reads v as t.elem
func MapSet(t Type, m, k, v unsafe.Pointer)

// MapDelete removes the entry of the key at k.
//
//race:writes m:8, reads k as t.key
func MapDelete(t Type, m, k unsafe.Pointer)

// MapClear removes all entries of a map of type t.
//
//race:writes m:8
func MapClear(t Type, m unsafe.Pointer)

// Caller makes a func(fn, args, results unsafe.Pointer) that calls fn, of the
// function type t: args and results are arrays of the addresses of the values.
// If method, fn is a method's code and args begins with the receiver's word.
// It is nil if t has more parameters than a frame can have.
//
//race:none
func Caller(t Type, method bool) unsafe.Pointer

// FuncCode is the first word of a function value of type t. The second word is
// passed to body, with the addresses of the arguments; the result is an array
// of the addresses of the results. The third is what FuncPC says, 0: that it
// was made. The code is 0 as Caller is nil.
//
//race:none
func FuncCode(t Type, body func(impl, args unsafe.Pointer) unsafe.Pointer) uintptr

// MethodCode is the code of method i of the concrete type t; programs that
// reach this function have the code of all exported methods.
//
//race:none
func MethodCode(t Type, i int) unsafe.Pointer

// MethodPC is FuncPC of method i of the concrete type t, as it was declared if
// it was for t itself.
//
//race:none
func MethodPC(t Type, i int) uintptr

// IfaceCode is the code of the concrete type t for method i of iface, which t
// implements.
//
//race:none
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
//
//race:reads comms
func Select(comms []Comm, block bool)

//race:none
func Selected() (chosen int, ok bool)

// MakeChan makes a channel of type t.
//
//race:none
func MakeChan(t Type, n int) unsafe.Pointer

// Close closes the channel c.
//
//race:orders
func Close(c unsafe.Pointer)

// ChanLen and ChanCap take the word of a chan variable.
//
//race:none
func ChanLen(c unsafe.Pointer) int

//race:none
func ChanCap(c unsafe.Pointer) int

// New allocates n zero values of type t, one after another.
//
//race:none
func New(t Type, n int) unsafe.Pointer

// Grow makes room for n more elements of type t in the slice s, as append does.
//
//race:writes s
func Grow(t Type, s *SliceHeader, n int)

// Copy copies a value of type t.
//
//race:writes dst as t, reads src as t
func Copy(t Type, dst, src unsafe.Pointer)

// SetIface stores x in a variable of the interface type t, which x implements.
//
//race:writes dst as t
func SetIface(t Type, dst unsafe.Pointer, x any)

// Swap exchanges two values of type t.
//
//race:writes p as t, writes q as t
func Swap(t Type, p, q unsafe.Pointer)

// Equal is ==, with its panics.
//
//race:reads p as t, reads q as t
func Equal(t Type, p, q unsafe.Pointer) bool

// SwapPointer stores new in *p and returns what was there, atomically.
//
//race:atomic rmw p
func SwapPointer(p *unsafe.Pointer, new unsafe.Pointer) unsafe.Pointer
