// SPDX-License-Identifier: MIT

// Package reflect looks at values of any type, makes types and values, and
// calls functions whose types it does not know.
package reflect

import (
	"internal/rt"
	"strconv"
	"unsafe"
)

// A Kind is the kind of a type.
type Kind uint

const (
	Invalid Kind = iota
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

const Ptr = Pointer

func (k Kind) String() string {
	const names = "invalid,bool,int,int8,int16,int32,int64,uint,uint8,uint16," +
		"uint32,uint64,uintptr,float32,float64,complex64,complex128,array,chan," +
		"func,interface,map,ptr,slice,string,struct,unsafe.Pointer,"
	start := 0
	for i := Kind(0); start < len(names); i++ {
		end := start
		for names[end] != ',' {
			end++
		}
		if i == k {
			return names[start:end]
		}
		start = end + 1
	}
	return "kind" + strconv.Itoa(int(k))
}

// ChanDir is the direction of a channel type.
type ChanDir int

const (
	RecvDir ChanDir = 1 << iota
	SendDir
	BothDir = RecvDir | SendDir
)

func (d ChanDir) String() string {
	switch d {
	case SendDir:
		return "chan<-"
	case RecvDir:
		return "<-chan"
	case BothDir:
		return "chan"
	}
	return "ChanDir" + strconv.Itoa(int(d))
}

// A Type describes a Go type; two types are identical iff their Types are ==.
type Type interface {
	Align() int
	FieldAlign() int
	Method(int) Method
	MethodByName(string) (Method, bool)
	NumMethod() int
	Name() string
	PkgPath() string
	Size() uintptr
	String() string
	Implements(u Type) bool
	AssignableTo(u Type) bool
	ConvertibleTo(u Type) bool
	Comparable() bool
	Kind() Kind
	Bits() int
	ChanDir() ChanDir
	IsVariadic() bool
	Elem() Type
	Field(i int) StructField
	FieldByIndex(index []int) StructField
	FieldByName(name string) (StructField, bool)
	FieldByNameFunc(match func(string) bool) (StructField, bool)
	Fields() func(yield func(StructField) bool)
	Methods() func(yield func(Method) bool)
	Ins() func(yield func(Type) bool)
	Outs() func(yield func(Type) bool)
	OverflowComplex(x complex128) bool
	OverflowFloat(x float64) bool
	OverflowInt(x int64) bool
	OverflowUint(x uint64) bool
	CanSeq() bool
	CanSeq2() bool
	In(i int) Type
	Key() Type
	Len() int
	NumField() int
	NumIn() int
	NumOut() int
	Out(i int) Type

	desc() rt.Type
}

// A StructTag is the text behind a field.
type StructTag string

// Get is the value of a key in the tag, "" if it is not there.
func (tag StructTag) Get(key string) string {
	v, _ := tag.Lookup(key)
	return v
}

// Lookup finds the value of a key in a tag of the form key:"value" ...
func (tag StructTag) Lookup(key string) (value string, ok bool) {
	s := string(tag)
	for {
		for s != "" && s[0] == ' ' {
			s = s[1:]
		}
		i := 0
		for i < len(s) && s[i] > ' ' && s[i] != ':' && s[i] != '"' && s[i] != 0x7f {
			i++
		}
		if i == 0 || i+1 >= len(s) || s[i] != ':' || s[i+1] != '"' {
			return "", false
		}
		name := s[:i]
		s = s[i+1:]
		for i = 1; i < len(s) && s[i] != '"'; i++ {
			if s[i] == '\\' {
				i++
			}
		}
		if i >= len(s) {
			return "", false
		}
		quoted := s[:i+1]
		s = s[i+1:]
		if name == key {
			value, err := strconv.Unquote(quoted)
			return value, err == nil
		}
	}
}

// A StructField describes a field of a struct.
type StructField struct {
	Name      string
	PkgPath   string // of an unexported field
	Type      Type
	Tag       StructTag
	Offset    uintptr
	Index     []int
	Anonymous bool
}

// IsExported reports whether the field is exported.
func (f StructField) IsExported() bool { return f.PkgPath == "" }

// rtype is a type descriptor of the program.
type rtype struct{ _ uintptr }

// toType makes a Type of a descriptor.
func toType(t rt.Type) Type {
	if t == nil {
		return nil
	}
	return (*rtype)(unsafe.Pointer(t))
}

// TypeOf is the dynamic type of i, nil if i is nil.
func TypeOf(i any) Type { return toType(rt.TypeOf(i)) }

func (t *rtype) desc() rt.Type { return rt.Type(unsafe.Pointer(t)) }

func (t *rtype) kind() int { return rt.KindOf(t.desc()) }

// need panics unless t is of the kind that method asks for.
func (t *rtype) need(method string, kind Kind, what string) {
	if Kind(t.kind()) != kind {
		panic("reflect: " + method + " of non-" + what + " type " + t.String())
	}
}

func (t *rtype) Align() int      { return rt.Align(t.desc()) }
func (t *rtype) FieldAlign() int { return rt.Align(t.desc()) }
func (t *rtype) Size() uintptr   { return rt.Size(t.desc()) }
func (t *rtype) String() string  { return rt.TypeString(t.desc()) }
func (t *rtype) Kind() Kind      { return Kind(t.kind()) }
func (t *rtype) Comparable() bool {
	return rt.Comparable(t.desc())
}

func (t *rtype) Name() string {
	n := rt.Name(t.desc())
	if n == "unsafe.Pointer" {
		n = "Pointer" // a predeclared type in all but the name
	}
	return n
}

func (t *rtype) PkgPath() string {
	if rt.Name(t.desc()) == "unsafe.Pointer" {
		return "unsafe"
	}
	return rt.PkgPath(t.desc())
}

func (t *rtype) Bits() int {
	k := t.kind()
	if k < rt.Int || k > rt.Complex128 {
		panic("reflect: Bits of non-arithmetic Type " + t.String())
	}
	return int(t.Size()) * 8
}

func (t *rtype) Implements(u Type) bool {
	if u == nil {
		panic("reflect: nil type passed to Type.Implements")
	}
	if u.Kind() != Interface {
		panic("reflect: non-interface type passed to Type.Implements")
	}
	return rt.Implements(t.desc(), u.desc())
}

func (t *rtype) AssignableTo(u Type) bool {
	if u == nil {
		panic("reflect: nil type passed to Type.AssignableTo")
	}
	return assignable(t.desc(), u.desc())
}

func assignable(d, e rt.Type) bool {
	return d == e || rt.KindOf(e) == rt.Interface && rt.Implements(d, e) ||
		(rt.Name(d) == "" || rt.Name(e) == "") &&
			(bothWays(d, e) || sameUnderlying(d, e, true))
}

// bothWays reports whether d is a channel type of both directions and the
// channel type e has the same elements; one of them has no name.
func bothWays(d, e rt.Type) bool {
	return rt.KindOf(d) == rt.Chan && rt.KindOf(e) == rt.Chan &&
		rt.ChanDir(d) == 3 && (rt.Name(d) == "" || rt.Name(e) == "") &&
		rt.Elem(d) == rt.Elem(e)
}

// same reports whether two types are identical, or would be without the tags
// of fields.
func same(d, e rt.Type, tags bool) bool {
	if tags || d == e {
		return d == e
	}
	return rt.Name(d) == rt.Name(e) && rt.PkgPath(d) == rt.PkgPath(e) &&
		sameUnderlying(d, e, false)
}

// sameUnderlying reports whether two types have the same underlying type, tags
// of fields included or not.
func sameUnderlying(d, e rt.Type, tags bool) bool {
	k := rt.KindOf(d)
	if d == e || k != rt.KindOf(e) {
		return d == e
	}
	switch k {
	case rt.Pointer, rt.Slice:
		return same(rt.Elem(d), rt.Elem(e), tags)
	case rt.Array:
		return same(rt.Elem(d), rt.Elem(e), tags) && rt.Len(d) == rt.Len(e)
	case rt.Chan:
		return same(rt.Elem(d), rt.Elem(e), tags) && rt.ChanDir(d) == rt.ChanDir(e)
	case rt.Map:
		return same(rt.Elem(d), rt.Elem(e), tags) && same(rt.Key(d), rt.Key(e), tags)
	case rt.Func:
		return sameFunc(d, e, tags)
	case rt.Struct:
		return sameStruct(d, e, tags)
	case rt.Interface:
		return rt.NumMethod(d) == 0 && rt.NumMethod(e) == 0
	}
	return true // the predeclared types
}

func sameFunc(d, e rt.Type, tags bool) bool {
	if rt.NumIn(d) != rt.NumIn(e) || rt.NumOut(d) != rt.NumOut(e) ||
		rt.Variadic(d) != rt.Variadic(e) {
		return false
	}
	for i, n := 0, rt.NumIn(d)+rt.NumOut(d); i < n; i++ {
		if !same(rt.In(d, i), rt.In(e, i), tags) {
			return false
		}
	}
	return true
}

func sameStruct(d, e rt.Type, tags bool) bool {
	n := rt.NumField(d)
	if n != rt.NumField(e) {
		return false
	}
	for i := 0; i < n; i++ {
		dn, dt, _, df := rt.Field(d, i)
		en, et, _, ef := rt.Field(e, i)
		dtag, dpkg := rt.FieldTag(d, i)
		etag, epkg := rt.FieldTag(e, i)
		if dn != en || df != ef || dpkg != epkg || tags && dtag != etag ||
			!same(dt, et, tags) {
			return false
		}
	}
	return true
}

func (t *rtype) ChanDir() ChanDir {
	t.need("ChanDir", Chan, "chan")
	return ChanDir(rt.ChanDir(t.desc()))
}

func (t *rtype) IsVariadic() bool {
	t.need("IsVariadic", Func, "func")
	return rt.Variadic(t.desc())
}

func (t *rtype) Elem() Type {
	switch t.kind() {
	case rt.Array, rt.Chan, rt.Map, rt.Pointer, rt.Slice:
		return toType(rt.Elem(t.desc()))
	}
	panic("reflect: Elem of invalid type " + t.String())
}

func (t *rtype) Key() Type {
	t.need("Key", Map, "map")
	return toType(rt.Key(t.desc()))
}

func (t *rtype) Len() int {
	t.need("Len", Array, "array")
	return rt.Len(t.desc())
}

func (t *rtype) NumField() int {
	t.need("NumField", Struct, "struct")
	return rt.NumField(t.desc())
}

func (t *rtype) NumIn() int {
	t.need("NumIn", Func, "func")
	return rt.NumIn(t.desc())
}

func (t *rtype) NumOut() int {
	t.need("NumOut", Func, "func")
	return rt.NumOut(t.desc())
}

// inRange panics as an index of a slice does if i is not one of n.
func inRange(n, i int) {
	if i < 0 || i >= n {
		_ = make([]struct{}, n)[i]
	}
}

func (t *rtype) In(i int) Type {
	t.need("In", Func, "func")
	inRange(t.NumIn(), i)
	return toType(rt.In(t.desc(), i))
}

func (t *rtype) Out(i int) Type {
	t.need("Out", Func, "func")
	inRange(t.NumOut(), i)
	return toType(rt.In(t.desc(), t.NumIn()+i))
}

// zeroOf is a value of type t, for methods that ask nothing but its type.
func (t *rtype) zeroOf(method string, what string, ok bool) Value {
	if !ok {
		panic("reflect: " + method + " of non-" + what + " type " + t.String())
	}
	return Value{t: t.desc(), flag: flag(t.kind())}
}

// OverflowInt reports whether x does not fit in t; so do those after it.
func (t *rtype) OverflowInt(x int64) bool {
	k := t.kind()
	return t.zeroOf("OverflowInt", "int", rt.Int <= k && k <= rt.Int64).OverflowInt(x)
}

func (t *rtype) OverflowUint(x uint64) bool {
	k := t.kind()
	return t.zeroOf("OverflowUint", "uint", rt.Uint <= k && k <= rt.Uintptr).OverflowUint(x)
}

func (t *rtype) OverflowFloat(x float64) bool {
	k := t.kind()
	return t.zeroOf("OverflowFloat", "float", k == rt.Float32 || k == rt.Float64).OverflowFloat(x)
}

func (t *rtype) OverflowComplex(x complex128) bool {
	return t.zeroOf("OverflowComplex", "complex", isComplex(t.kind())).OverflowComplex(x)
}
