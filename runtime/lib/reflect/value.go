// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"unsafe"
)

// A flag says what kind a Value is of and how it was got. Code that looks at
// it through unsafe (package go-spew) finds Go's bits: the kind in the low
// five, read-only in two, the address in one.
type flag uintptr

const (
	flagKind  flag = 1<<5 - 1
	flagField flag = 1 << 5 // got through an unexported field
	flagEmbed flag = 1 << 6 // got through an unexported embedded field
	flagIndir flag = 1 << 7 // p is the address of the value
	flagAddr  flag = 1 << 8 // p is the address of a variable
	flagMeth  flag = 1 << 9 // p is the address of a boundMethod
	flagRO         = flagField | flagEmbed
)

// words are the kinds whose values are one pointer.
const words = 1<<Chan | 1<<Func | 1<<Map | 1<<Pointer | 1<<UnsafePointer

// A Value is a value of any type, or invalid. It begins with the words of an
// interface.
type Value struct {
	t    rt.Type
	p    unsafe.Pointer // where the value lies, or the value: see flagIndir
	flag                // 0 of an invalid one
}

// value is the value of type t at p.
func value(t rt.Type, p unsafe.Pointer, f flag) Value {
	return Value{t, p, flag(rt.KindOf(t)) | flagIndir | f}
}

// loaded is the value of type t at p, which nobody changes any more: it holds
// a pointer itself, so that equal pointers are equal Values.
func loaded(t rt.Type, p unsafe.Pointer, f flag) Value {
	k := rt.KindOf(t)
	if words>>k&1 != 0 {
		return Value{t, *(*unsafe.Pointer)(p), flag(k) | f}
	}
	return Value{t, p, flag(k) | flagIndir | f}
}

// pointer is a Value that is one pointer.
func pointer(t rt.Type, p unsafe.Pointer, f flag) Value {
	return Value{t, p, flag(rt.KindOf(t)) | f}
}

// word is the pointer that a value of a pointer-like kind is, or begins with.
func (v Value) word() unsafe.Pointer {
	if v.flag&flagIndir != 0 {
		return *(*unsafe.Pointer)(v.p)
	}
	if v.flag&flagMeth != 0 {
		return v.method().closure()
	}
	return v.p
}

// addr is where the value lies.
func (v Value) addr() unsafe.Pointer {
	if v.flag&flagIndir != 0 {
		return v.p
	}
	cell := new(unsafe.Pointer)
	*cell = v.word()
	return unsafe.Pointer(cell)
}

// ro is what v hands on to what is got through it: an exported field of an
// embedded struct is only as read-only as the struct that embeds.
func (v Value) ro() flag {
	if v.flag&flagRO != 0 {
		return flagField
	}
	return 0
}

// A ValueError says that a method does not fit a Value's kind.
type ValueError struct {
	Method string
	Kind   Kind
}

func (e *ValueError) Error() string {
	if e.Kind == Invalid {
		return "reflect: call of " + e.Method + " on zero Value"
	}
	return "reflect: call of " + e.Method + " on " + e.Kind.String() + " Value"
}

// ValueOf is the value in i, invalid if i is nil.
func ValueOf(i any) Value {
	if i == nil {
		return Value{}
	}
	t, p := rt.Unpack(i)
	k := rt.KindOf(t)
	if words>>k&1 != 0 {
		return Value{t, p, flag(k)}
	}
	return Value{t, p, flag(k) | flagIndir}
}

// RTValue is how package fmt gets at what is inside.
func (v Value) RTValue() (t rt.Type, p unsafe.Pointer, ro bool) {
	if v.t == nil {
		return nil, nil, false
	}
	return v.t, v.addr(), v.flag&flagRO != 0
}

func (v Value) kind() int { return int(v.flag & flagKind) }

func (v Value) fail(method string) {
	panic(&ValueError{"reflect.Value." + method, v.Kind()})
}

// need panics unless v is of kind k.
func (v Value) need(method string, k int) {
	if v.kind() != k {
		v.fail(method)
	}
}

// exported panics if v was got through an unexported field.
func (v Value) exported(function string) {
	if v.t == nil {
		panic(&ValueError{function, Invalid})
	}
	if v.flag&flagRO != 0 {
		panic("reflect: " + function + " using value obtained using unexported field")
	}
}

// exportedFor is exported for a method of Value: its whole name is made only
// to panic.
func (v Value) exportedFor(method string) {
	if v.t == nil || v.flag&flagRO != 0 {
		v.exported("reflect.Value." + method)
	}
}

// set panics unless v can be set.
func (v Value) set(method string) {
	v.exportedFor(method)
	if v.flag&flagAddr == 0 {
		panic("reflect: reflect.Value." + method + " using unaddressable value")
	}
}

func (v Value) IsValid() bool { return v.t != nil }
func (v Value) Kind() Kind    { return Kind(v.kind()) }
func (v Value) CanAddr() bool { return v.flag&flagAddr != 0 }
func (v Value) CanSet() bool  { return v.flag&(flagAddr|flagRO) == flagAddr }
func (v Value) CanInterface() bool {
	if v.t == nil {
		v.fail("CanInterface")
	}
	return v.flag&flagRO == 0
}
func (v Value) CanInt() bool  { k := v.kind(); return rt.Int <= k && k <= rt.Int64 }
func (v Value) CanUint() bool { k := v.kind(); return rt.Uint <= k && k <= rt.Uintptr }
func (v Value) CanComplex() bool {
	k := v.kind()
	return k == rt.Complex64 || k == rt.Complex128
}
func (v Value) CanFloat() bool { k := v.kind(); return k == rt.Float32 || k == rt.Float64 }

func (v Value) Type() Type {
	if v.t == nil {
		v.fail("Type")
	}
	return toType(v.t)
}

// Interface is the value as an any.
func (v Value) Interface() any {
	if v.t == nil {
		v.fail("Interface")
	}
	if v.flag&flagRO != 0 {
		panic("reflect.Value.Interface: cannot return value obtained from unexported field or method")
	}
	return v.iface()
}

// iface is the value in an interface: where it lies, if nobody changes it there
// any more.
func (v Value) iface() any {
	if v.flag&(flagIndir|flagMeth) == 0 && words>>v.kind()&1 != 0 ||
		v.flag&(flagIndir|flagAddr) == flagIndir && rt.Indirect(v.t) {
		return *(*any)(unsafe.Pointer(&v))
	}
	return rt.Make(v.t, v.addr())
}

// InterfaceData is an interface's two words, as numbers.
func (v Value) InterfaceData() [2]uintptr {
	v.need("InterfaceData", rt.Interface)
	return *(*[2]uintptr)(v.p)
}

func (v Value) String() string {
	if v.kind() == rt.String {
		return *(*string)(v.p)
	}
	if v.t == nil {
		return "<invalid Value>"
	}
	return "<" + rt.TypeString(v.t) + " Value>"
}

func (v Value) Bool() bool {
	v.need("Bool", rt.Bool)
	return *(*bool)(v.p)
}

func (v Value) Int() int64 {
	if !v.CanInt() {
		v.fail("Int")
	}
	return int64(rt.Load(v.kind(), v.p))
}

func (v Value) Uint() uint64 {
	if !v.CanUint() {
		v.fail("Uint")
	}
	return rt.Load(v.kind(), v.p)
}

func (v Value) Float() float64 {
	switch v.kind() {
	case rt.Float32:
		return float64(*(*float32)(v.p))
	case rt.Float64:
		return *(*float64)(v.p)
	}
	v.fail("Float")
	return 0
}

func (v Value) Complex() complex128 {
	switch v.kind() {
	case rt.Complex64:
		return complex128(*(*complex64)(v.p))
	case rt.Complex128:
		return *(*complex128)(v.p)
	}
	v.fail("Complex")
	return 0
}

func (v Value) Bytes() []byte {
	switch v.kind() {
	case rt.Slice:
		if rt.KindOf(rt.Elem(v.t)) != rt.Uint8 {
			panic("reflect.Value.Bytes of non-byte slice")
		}
		return *(*[]byte)(v.p)
	case rt.Array:
		if rt.KindOf(rt.Elem(v.t)) != rt.Uint8 {
			panic("reflect.Value.Bytes of non-byte array")
		}
		if v.flag&flagAddr == 0 {
			panic("reflect.Value.Bytes of unaddressable byte array")
		}
		return unsafe.Slice((*byte)(v.p), rt.Len(v.t))
	}
	v.fail("Bytes")
	return nil
}

func (v Value) IsNil() bool {
	switch v.kind() {
	case rt.Chan, rt.Func, rt.Map, rt.Pointer, rt.UnsafePointer, rt.Slice, rt.Interface:
		return v.flag&flagMeth == 0 && v.word() == nil
	}
	v.fail("IsNil")
	return false
}

// IsZero reports whether v is equal to the zero value of its type; blank
// fields do not count, and -0 is 0.
func (v Value) IsZero() bool {
	switch v.kind() {
	case rt.Invalid:
		v.fail("IsZero")
	case rt.Float32, rt.Float64:
		return v.Float() == 0
	case rt.Complex64, rt.Complex128:
		return v.Complex() == 0
	case rt.Array:
		for i := 0; i < v.Len(); i++ {
			if !v.Index(i).IsZero() {
				return false
			}
		}
		return true
	case rt.Struct:
		for i := 0; i < v.NumField(); i++ {
			if name, _, _, _ := rt.Field(v.t, i); name != "_" && !v.Field(i).IsZero() {
				return false
			}
		}
		return true
	case rt.String:
		return v.Len() == 0
	case rt.Chan, rt.Func, rt.Map, rt.Pointer, rt.UnsafePointer, rt.Slice, rt.Interface:
		return v.IsNil()
	}
	return rt.Load(v.kind(), v.p) == 0
}

// Pointer is the value as a number.
func (v Value) Pointer() uintptr {
	switch v.kind() {
	case rt.Func:
		return rt.FuncPC(v.word())
	case rt.Chan, rt.Map, rt.Pointer, rt.UnsafePointer, rt.Slice, rt.String:
		return uintptr(v.word())
	}
	v.fail("Pointer")
	return 0
}

func (v Value) UnsafePointer() unsafe.Pointer {
	switch v.kind() {
	case rt.Func:
		return unsafe.Pointer(rt.FuncPC(v.word()))
	case rt.Chan, rt.Map, rt.Pointer, rt.UnsafePointer, rt.Slice, rt.String:
		return v.word()
	}
	v.fail("UnsafePointer")
	return nil
}

func (v Value) Addr() Value {
	if v.flag&flagAddr == 0 {
		panic("reflect.Value.Addr of unaddressable value")
	}
	return pointer(rt.PointerTo(v.t), v.p, v.flag&flagRO)
}

func (v Value) UnsafeAddr() uintptr {
	if v.t == nil {
		v.fail("UnsafeAddr")
	}
	if v.flag&flagAddr == 0 {
		panic("reflect.Value.UnsafeAddr of unaddressable value")
	}
	return uintptr(v.p)
}

func (v Value) Len() int {
	switch v.kind() {
	case rt.Array:
		return rt.Len(v.t)
	case rt.Chan:
		return rt.ChanLen(v.word())
	case rt.Map:
		return rt.MapLen(v.word())
	case rt.Slice:
		return (*rt.SliceHeader)(v.p).Len
	case rt.String:
		return len(*(*string)(v.p))
	}
	if v.kind() == rt.Pointer {
		if rt.KindOf(rt.Elem(v.t)) == rt.Array {
			return rt.Len(rt.Elem(v.t))
		}
		panic("reflect: call of reflect.Value.Len on ptr to non-array Value")
	}
	v.fail("Len")
	return 0
}

func (v Value) Cap() int {
	if v.kind() == rt.Pointer {
		if rt.KindOf(rt.Elem(v.t)) == rt.Array {
			return rt.Len(rt.Elem(v.t))
		}
		panic("reflect: call of reflect.Value.Cap on ptr to non-array Value")
	}
	switch v.kind() {
	case rt.Array:
		return rt.Len(v.t)
	case rt.Chan:
		return rt.ChanCap(v.word())
	case rt.Slice:
		return (*rt.SliceHeader)(v.p).Cap
	}
	v.fail("Cap")
	return 0
}

func (v Value) Index(i int) Value {
	switch v.kind() {
	case rt.Array:
		if i < 0 || i >= rt.Len(v.t) {
			panic("reflect: array index out of range")
		}
		t := rt.Elem(v.t)
		return value(t, rt.At(v.p, i, rt.Size(t)), v.flag&flagAddr|v.ro())
	case rt.Slice:
		h := (*rt.SliceHeader)(v.p)
		if i < 0 || i >= h.Len {
			panic("reflect: slice index out of range")
		}
		t := rt.Elem(v.t)
		return value(t, rt.At(h.Data, i, rt.Size(t)), flagAddr|v.ro())
	case rt.String:
		s := *(*string)(v.p)
		if i < 0 || i >= len(s) {
			panic("reflect: string index out of range")
		}
		e := ValueOf(s[i])
		e.flag |= v.ro()
		return e
	}
	v.fail("Index")
	return Value{}
}

// list takes a slice or an addressable array apart; t is the slice type.
func (v Value) list(method string) (t rt.Type, h rt.SliceHeader) {
	switch v.kind() {
	case rt.Array:
		if v.flag&flagAddr == 0 {
			panic("reflect.Value." + method + ": slice of unaddressable array")
		}
		n := rt.Len(v.t)
		return rt.SliceOf(rt.Elem(v.t)), rt.SliceHeader{Data: v.p, Len: n, Cap: n}
	case rt.Slice:
		return v.t, *(*rt.SliceHeader)(v.p)
	}
	v.fail(method)
	return nil, rt.SliceHeader{}
}

// cut is the slice h[i:j:k] of type t.
func (v Value) cut(t rt.Type, h rt.SliceHeader, i, j, k int) Value {
	cell := rt.New(t, 1)
	out := (*rt.SliceHeader)(cell)
	out.Data = h.Data
	if i < k {
		out.Data = rt.At(h.Data, i, rt.Size(rt.Elem(t)))
	}
	out.Len, out.Cap = j-i, k-i
	return value(t, cell, v.ro())
}

// Slice is v[i:j].
func (v Value) Slice(i, j int) Value {
	if v.kind() == rt.String {
		if i < 0 || j < i || j > v.Len() {
			panic("reflect.Value.Slice: string slice index out of bounds")
		}
		s := new(string)
		*s = (*(*string)(v.p))[i:j]
		return value(v.t, unsafe.Pointer(s), v.ro())
	}
	t, h := v.list("Slice")
	if i < 0 || j < i || j > h.Cap {
		panic("reflect.Value.Slice: slice index out of bounds")
	}
	return v.cut(t, h, i, j, h.Cap)
}

// Slice3 is v[i:j:k].
func (v Value) Slice3(i, j, k int) Value {
	t, h := v.list("Slice3")
	if i < 0 || j < i || k < j || k > h.Cap {
		panic("reflect.Value.Slice3: slice index out of bounds")
	}
	return v.cut(t, h, i, j, k)
}

// Elem is what a pointer points to, or what an interface holds.
func (v Value) Elem() Value {
	switch v.kind() {
	case rt.Interface:
		e := ValueOf(rt.Make(v.t, v.p))
		if e.t != nil {
			e.flag |= v.ro()
		}
		return e
	case rt.Pointer:
		p := v.word()
		if p == nil {
			return Value{}
		}
		return value(rt.Elem(v.t), p, v.flag&flagRO|flagAddr)
	}
	v.fail("Elem")
	return Value{}
}

// Comparable reports whether == does not panic on v.
func (v Value) Comparable() bool {
	switch v.kind() {
	case rt.Invalid:
		return false
	case rt.Interface:
		return v.IsNil() || v.Elem().Comparable()
	case rt.Array:
		switch rt.KindOf(rt.Elem(v.t)) {
		case rt.Interface, rt.Array, rt.Struct:
		default:
			return rt.Comparable(v.t)
		}
		for i := 0; i < v.Len(); i++ {
			if !v.Index(i).Comparable() {
				return false
			}
		}
		return true
	case rt.Struct:
		for i := 0; i < v.NumField(); i++ {
			if !v.Field(i).Comparable() {
				return false
			}
		}
		return true
	}
	return rt.Comparable(v.t)
}

// Equal is v == u.
func (v Value) Equal(u Value) bool {
	if v.kind() == rt.Interface {
		v = v.Elem()
	}
	if u.kind() == rt.Interface {
		u = u.Elem()
	}
	if v.t == nil || u.t == nil {
		return v.t == u.t
	}
	if v.t != u.t {
		return false
	}
	switch k := v.kind(); {
	case k == rt.Array && v.Len() > 0:
		for i := 0; i < v.Len(); i++ {
			if !v.Index(i).Equal(u.Index(i)) {
				return false
			}
		}
		return true
	case k == rt.Struct:
		for i := 0; i < v.NumField(); i++ {
			if !v.Field(i).Equal(u.Field(i)) {
				return false
			}
		}
		return true
	case !rt.Comparable(v.t):
		panic("reflect.Value.Equal: values of type " + rt.TypeString(v.t) + " are not comparable")
	}
	return rt.Equal(v.t, v.addr(), u.addr())
}
