// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"unsafe"
)

const (
	flagRO   = 1 << iota // got through an unexported field
	flagAddr             // p is the address of a variable
)

// A Value is a value of any type, or invalid.
type Value struct {
	t    rt.Type
	p    unsafe.Pointer // where the value lies
	flag uint8
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
	return Value{rt.TypeOf(i), rt.Addr(i), 0}
}

// RTValue is how package fmt gets at what is inside.
func (v Value) RTValue() (t rt.Type, p unsafe.Pointer, ro bool) {
	return v.t, v.p, v.flag&flagRO != 0
}

func (v Value) kind() int { return rt.KindOf(v.t) }

func (v Value) fail(method string) {
	panic(&ValueError{"reflect.Value." + method, v.Kind()})
}

// need panics unless v is of kind k.
func (v Value) need(method string, k int) {
	if v.kind() != k {
		v.fail(method)
	}
}

// set panics unless v can be set.
func (v Value) set(method string) {
	if v.t == nil {
		v.fail(method)
	}
	if v.flag&flagRO != 0 {
		panic("reflect: reflect.Value." + method + " using value obtained using unexported field")
	}
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
func (v Value) CanInt() bool   { k := v.kind(); return rt.Int <= k && k <= rt.Int64 }
func (v Value) CanUint() bool  { k := v.kind(); return rt.Uint <= k && k <= rt.Uintptr }
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
	return rt.Make(v.t, v.p)
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

// word is the pointer that a value of a pointer-like kind is.
func (v Value) word() unsafe.Pointer { return *(*unsafe.Pointer)(v.p) }

func (v Value) IsNil() bool {
	switch v.kind() {
	case rt.Chan, rt.Func, rt.Map, rt.Pointer, rt.UnsafePointer, rt.Slice, rt.Interface:
		return v.word() == nil
	}
	v.fail("IsNil")
	return false
}

// IsZero reports whether v is the zero value of its type.
func (v Value) IsZero() bool {
	switch v.kind() {
	case rt.Invalid:
		v.fail("IsZero")
	case rt.Float32, rt.Float64:
		return v.Float() == 0 && 1/v.Float() > 0
	case rt.Complex64, rt.Complex128:
		c := v.Complex()
		return c == 0 && 1/real(c) > 0 && 1/imag(c) > 0
	case rt.Array:
		for i := 0; i < v.Len(); i++ {
			if !v.Index(i).IsZero() {
				return false
			}
		}
		return true
	case rt.Struct:
		for i := 0; i < v.NumField(); i++ {
			if !v.Field(i).IsZero() {
				return false
			}
		}
		return true
	case rt.String:
		return v.Len() == 0
	case rt.Chan, rt.Func, rt.Map, rt.Pointer, rt.UnsafePointer, rt.Slice, rt.Interface:
		return v.word() == nil
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
	case rt.Chan, rt.Func, rt.Map, rt.Pointer, rt.UnsafePointer, rt.Slice, rt.String:
		return v.word()
	}
	v.fail("UnsafePointer")
	return nil
}

func (v Value) Addr() Value {
	if v.flag&flagAddr == 0 {
		panic("reflect.Value.Addr of unaddressable value")
	}
	t := PointerTo(toType(v.t)).desc()
	cell := rt.New(t, 1)
	*(*unsafe.Pointer)(cell) = v.p
	return Value{t, cell, v.flag & flagRO}
}

func (v Value) UnsafeAddr() uintptr {
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
		return Value{t, rt.At(v.p, i, rt.Size(t)), v.flag}
	case rt.Slice:
		h := (*rt.SliceHeader)(v.p)
		if i < 0 || i >= h.Len {
			panic("reflect: slice index out of range")
		}
		t := rt.Elem(v.t)
		return Value{t, rt.At(h.Data, i, rt.Size(t)), v.flag | flagAddr}
	case rt.String:
		s := *(*string)(v.p)
		if i < 0 || i >= len(s) {
			panic("reflect: string index out of range")
		}
		e := ValueOf(s[i])
		e.flag = v.flag & flagRO
		return e
	}
	v.fail("Index")
	return Value{}
}

// Slice is v[i:j].
func (v Value) Slice(i, j int) Value {
	if v.kind() == rt.String {
		s := new(string)
		*s = (*(*string)(v.p))[i:j]
		return Value{v.t, unsafe.Pointer(s), v.flag & flagRO}
	}
	v.need("Slice", rt.Slice)
	h := *(*rt.SliceHeader)(v.p)
	if i < 0 || j < i || j > h.Cap {
		panic("reflect.Value.Slice: slice index out of bounds")
	}
	cell := rt.New(v.t, 1)
	out := (*rt.SliceHeader)(cell)
	if i < h.Cap {
		out.Data = rt.At(h.Data, i, rt.Size(rt.Elem(v.t)))
	} else {
		out.Data = h.Data
	}
	out.Len, out.Cap = j-i, h.Cap-i
	return Value{v.t, cell, v.flag & flagRO}
}

func (v Value) NumField() int {
	v.need("NumField", rt.Struct)
	return rt.NumField(v.t)
}

func (v Value) Field(i int) Value {
	v.need("Field", rt.Struct)
	if i < 0 || i >= rt.NumField(v.t) {
		panic("reflect: Field index out of range")
	}
	_, ft, off, flags := rt.Field(v.t, i)
	f := Value{ft, rt.At(v.p, 1, off), v.flag}
	if flags&rt.Exported == 0 {
		f.flag |= flagRO
	}
	return f
}

func (v Value) FieldByIndex(index []int) Value {
	for i, k := range index {
		if i > 0 && v.kind() == rt.Pointer {
			if v.IsNil() {
				panic("reflect: indirection through nil pointer to embedded struct")
			}
			v = v.Elem()
		}
		v = v.Field(k)
	}
	return v
}

func (v Value) FieldByName(name string) Value {
	v.need("FieldByName", rt.Struct)
	if f, ok := toType(v.t).FieldByName(name); ok {
		return v.FieldByIndex(f.Index)
	}
	return Value{}
}

// Elem is what a pointer points to, or what an interface holds.
func (v Value) Elem() Value {
	switch v.kind() {
	case rt.Interface:
		e := ValueOf(rt.Make(v.t, v.p))
		e.flag |= v.flag & flagRO
		return e
	case rt.Pointer:
		p := v.word()
		if p == nil {
			return Value{}
		}
		return Value{rt.Elem(v.t), p, v.flag&flagRO | flagAddr}
	}
	v.fail("Elem")
	return Value{}
}

func (v Value) NumMethod() int {
	if v.t == nil {
		v.fail("NumMethod")
	}
	return toType(v.t).NumMethod()
}

func (v Value) MapKeys() []Value {
	v.need("MapKeys", rt.Map)
	kt := rt.Key(v.t)
	keys, _, n := rt.MapEntries(v.t, v.word())
	out := make([]Value, n)
	for i := range out {
		out[i] = Value{kt, rt.At(keys, i, rt.Size(kt)), v.flag & flagRO}
	}
	return out
}

func (v Value) MapIndex(key Value) Value {
	v.need("MapIndex", rt.Map)
	key = key.assignTo("MapIndex", rt.Key(v.t))
	p := rt.MapGet(v.t, v.word(), key.p)
	if p == nil {
		return Value{}
	}
	et := rt.Elem(v.t)
	cell := rt.New(et, 1)
	rt.Copy(et, cell, p)
	return Value{et, cell, (v.flag | key.flag) & flagRO}
}

func (v Value) SetMapIndex(key, elem Value) {
	v.need("SetMapIndex", rt.Map)
	key = key.assignTo("SetMapIndex", rt.Key(v.t))
	if elem.t == nil {
		panic("reflect: deleting by SetMapIndex is not supported")
	}
	elem = elem.assignTo("SetMapIndex", rt.Elem(v.t))
	rt.MapSet(v.t, v.word(), key.p, elem.p)
}

// A MapIter steps through a map.
type MapIter struct {
	m          Value
	keys, vals unsafe.Pointer
	n, i       int
}

func (v Value) MapRange() *MapIter {
	v.need("MapRange", rt.Map)
	it := &MapIter{m: v, i: -1}
	it.keys, it.vals, it.n = rt.MapEntries(v.t, v.word())
	return it
}

func (it *MapIter) Next() bool {
	it.i++
	return it.i < it.n
}

func (it *MapIter) Key() Value {
	t := rt.Key(it.m.t)
	return Value{t, rt.At(it.keys, it.i, rt.Size(t)), it.m.flag & flagRO}
}

func (it *MapIter) Value() Value {
	t := rt.Elem(it.m.t)
	return Value{t, rt.At(it.vals, it.i, rt.Size(t)), it.m.flag & flagRO}
}

// assignTo converts v to type t as an assignment does.
func (v Value) assignTo(method string, t rt.Type) Value {
	if v.t == t {
		return v
	}
	if v.t == nil {
		v.fail(method)
	}
	if !toType(v.t).AssignableTo(toType(t)) {
		panic("reflect.Value." + method + ": value of type " + rt.TypeString(v.t) +
			" is not assignable to type " + rt.TypeString(t))
	}
	if rt.KindOf(t) != rt.Interface {
		return Value{t, v.p, v.flag}
	}
	cell := rt.New(t, 1)
	rt.SetIface(t, cell, rt.Make(v.t, v.p))
	return Value{t, cell, v.flag &^ flagAddr}
}

func (v Value) Set(x Value) {
	v.set("Set")
	x = x.assignTo("Set", v.t)
	rt.Copy(v.t, v.p, x.p)
}

func (v Value) SetZero() {
	v.set("SetZero")
	rt.Copy(v.t, v.p, rt.New(v.t, 1))
}

func (v Value) SetBool(x bool) {
	v.set("SetBool")
	v.need("SetBool", rt.Bool)
	*(*bool)(v.p) = x
}

func (v Value) SetInt(x int64) {
	v.set("SetInt")
	if !v.CanInt() {
		v.fail("SetInt")
	}
	rt.Store(v.kind(), v.p, uint64(x))
}

func (v Value) SetUint(x uint64) {
	v.set("SetUint")
	if !v.CanUint() {
		v.fail("SetUint")
	}
	rt.Store(v.kind(), v.p, x)
}

func (v Value) SetFloat(x float64) {
	v.set("SetFloat")
	switch v.kind() {
	case rt.Float32:
		*(*float32)(v.p) = float32(x)
	case rt.Float64:
		*(*float64)(v.p) = x
	default:
		v.fail("SetFloat")
	}
}

func (v Value) SetString(x string) {
	v.set("SetString")
	v.need("SetString", rt.String)
	*(*string)(v.p) = x
}

func (v Value) SetBytes(x []byte) {
	v.set("SetBytes")
	v.need("SetBytes", rt.Slice)
	*(*[]byte)(v.p) = x
}

func (v Value) SetLen(n int) {
	v.set("SetLen")
	v.need("SetLen", rt.Slice)
	h := (*rt.SliceHeader)(v.p)
	if n < 0 || n > h.Cap {
		panic("reflect: slice length out of range in SetLen")
	}
	h.Len = n
}

// Comparable reports whether == does not panic on v.
func (v Value) Comparable() bool {
	switch v.kind() {
	case rt.Invalid:
		return true
	case rt.Interface:
		return v.IsNil() || v.Elem().Comparable()
	case rt.Array:
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
	return v.t == u.t && rt.Equal(v.t, v.p, u.p)
}

// New is a pointer to a new zero value of type t.
func New(t Type) Value {
	if t == nil {
		panic("reflect: New(nil)")
	}
	pt := PointerTo(t).desc()
	cell := rt.New(pt, 1)
	*(*unsafe.Pointer)(cell) = rt.New(t.desc(), 1)
	return Value{pt, cell, 0}
}

// NewAt is a pointer to a value of type t at p.
func NewAt(t Type, p unsafe.Pointer) Value {
	pt := PointerTo(t).desc()
	cell := rt.New(pt, 1)
	*(*unsafe.Pointer)(cell) = p
	return Value{pt, cell, 0}
}

// Zero is the zero value of type t.
func Zero(t Type) Value {
	if t == nil {
		panic("reflect: Zero(nil)")
	}
	return Value{t.desc(), rt.New(t.desc(), 1), 0}
}

// Indirect is what v points to, or v if it is no pointer.
func Indirect(v Value) Value {
	if v.kind() != rt.Pointer {
		return v
	}
	return v.Elem()
}

// MakeSlice makes a slice of the slice type t.
func MakeSlice(t Type, n, c int) Value {
	if t.Kind() != Slice {
		panic("reflect.MakeSlice of non-slice type")
	}
	if n < 0 {
		panic("reflect.MakeSlice: negative len")
	}
	if c < n {
		panic("reflect.MakeSlice: len > cap")
	}
	d := t.desc()
	cell := rt.New(d, 1)
	h := (*rt.SliceHeader)(cell)
	h.Data, h.Len, h.Cap = rt.New(rt.Elem(d), c), n, c
	return Value{d, cell, 0}
}

// Append appends values to the slice s.
func Append(s Value, x ...Value) Value {
	s.need("Append", rt.Slice)
	n := s.Len()
	c := s.Cap()
	if n+len(x) > c {
		c = 2*c + len(x)
	}
	out := MakeSlice(toType(s.t), n+len(x), c)
	for i := 0; i < n; i++ {
		out.Index(i).Set(s.Index(i))
	}
	for i, v := range x {
		out.Index(n + i).Set(v)
	}
	return out
}

// Copy copies elements between slices.
func Copy(dst, src Value) int {
	n := min(dst.Len(), src.Len())
	tmp := make([]Value, n)
	for i := range tmp {
		e := src.Index(i)
		c := rt.New(e.t, 1)
		rt.Copy(e.t, c, e.p)
		tmp[i] = Value{e.t, c, 0}
	}
	for i, v := range tmp {
		dst.Index(i).Set(v)
	}
	return n
}

// StringHeader and SliceHeader are a string and a slice in memory.
type StringHeader struct {
	Data uintptr
	Len  int
}

type SliceHeader struct {
	Data uintptr
	Len  int
	Cap  int
}

// MakeMap makes an empty map of the map type t.
func MakeMap(t Type) Value { return MakeMapWithSize(t, 0) }

// MakeMapWithSize makes an empty map with room for n entries.
func MakeMapWithSize(t Type, n int) Value {
	if t.Kind() != Map {
		panic("reflect.MakeMapWithSize of non-map type")
	}
	d := t.desc()
	cell := rt.New(d, 1)
	*(*unsafe.Pointer)(cell) = rt.MakeMap(d, n)
	return Value{d, cell, 0}
}

// Swapper returns a function that exchanges elements of a slice.
func Swapper(slice any) func(i, j int) {
	v := ValueOf(slice)
	if v.kind() != rt.Slice {
		panic(&ValueError{"Swapper", v.Kind()})
	}
	h := *(*rt.SliceHeader)(v.p)
	t := rt.Elem(v.t)
	size := rt.Size(t)
	return func(i, j int) {
		if uint(i) >= uint(h.Len) || uint(j) >= uint(h.Len) {
			panic("reflect: slice index out of range")
		}
		rt.Swap(t, rt.At(h.Data, i, size), rt.At(h.Data, j, size))
	}
}
