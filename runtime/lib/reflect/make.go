// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"unsafe"
)

// New is a pointer to a new zero value of type t.
func New(t Type) Value {
	if t == nil {
		panic("reflect: New(nil)")
	}
	return pointer(PointerTo(t).desc(), rt.New(t.desc(), 1), 0)
}

// NewAt is a pointer to a value of type t at p.
func NewAt(t Type, p unsafe.Pointer) Value {
	return pointer(PointerTo(t).desc(), p, 0)
}

// Zero is the zero value of type t.
func Zero(t Type) Value {
	if t == nil {
		panic("reflect: Zero(nil)")
	}
	return loaded(t.desc(), rt.New(t.desc(), 1), 0)
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
	if c < 0 {
		panic("reflect.MakeSlice: negative cap")
	}
	if c < n {
		panic("reflect.MakeSlice: len > cap")
	}
	d := t.desc()
	cell := rt.New(d, 1)
	h := (*rt.SliceHeader)(cell)
	h.Data, h.Len, h.Cap = rt.New(rt.Elem(d), c), n, c
	return value(d, cell, 0)
}

// A slice that grows is asked by a function: Go names the method that a value
// is asked by, and finds none.
func needSlice(v Value) {
	if v.kind() != rt.Slice {
		panic(&ValueError{"unknown method", v.Kind()})
	}
}

// longer is the slice s with n more elements, which are zero, in new memory if
// there is no room.
func longer(s Value, n int) Value {
	cell := rt.New(s.t, 1)
	h := (*rt.SliceHeader)(cell)
	*h = *(*rt.SliceHeader)(s.p)
	rt.Grow(rt.Elem(s.t), h, n)
	h.Len += n
	return value(s.t, cell, 0)
}

// Append appends values to the slice s.
func Append(s Value, x ...Value) Value {
	needSlice(s)
	s.exported("unknown method")
	n := s.Len()
	out := longer(s, len(x))
	for i, v := range x {
		out.Index(n + i).Set(v)
	}
	return out
}

// AppendSlice appends the elements of the slice x to the slice s.
func AppendSlice(s, x Value) Value {
	needSlice(s)
	needSlice(x)
	if s.t != x.t {
		panic("reflect.AppendSlice: " + rt.TypeString(rt.Elem(s.t)) + " != " +
			rt.TypeString(rt.Elem(x.t)))
	}
	s.exported("unknown method")
	x.exported("unknown method")
	n := s.Len()
	out := longer(s, x.Len())
	Copy(out.Slice(n, n+x.Len()), x)
	return out
}

// Copy copies elements to a slice or array from another or, to bytes, from a
// string; it returns how many.
func Copy(dst, src Value) int {
	if k := dst.kind(); k != rt.Array && k != rt.Slice {
		panic(&ValueError{"reflect.Copy", dst.Kind()})
	}
	if dst.kind() == rt.Array && dst.flag&flagAddr == 0 {
		panic("reflect: unknown method using unaddressable value")
	}
	dst.exported("unknown method")
	text := src.kind() == rt.String && rt.KindOf(rt.Elem(dst.t)) == rt.Uint8
	if k := src.kind(); k != rt.Array && k != rt.Slice && !text {
		panic(&ValueError{"reflect.Copy", src.Kind()})
	}
	src.exported("unknown method")
	if !text && rt.Elem(dst.t) != rt.Elem(src.t) {
		panic("reflect.Copy: " + rt.TypeString(rt.Elem(dst.t)) + " != " +
			rt.TypeString(rt.Elem(src.t)))
	}
	n := min(dst.Len(), src.Len())
	e := rt.Elem(dst.t)
	size := rt.Size(e)
	to, from := dst.p, src.p
	if dst.kind() == rt.Slice {
		to = dst.word()
	}
	if src.kind() != rt.Array {
		from = src.word()
	}
	if uintptr(to) > uintptr(from) {
		for i := n - 1; i >= 0; i-- {
			rt.Copy(e, rt.At(to, i, size), rt.At(from, i, size))
		}
	} else {
		for i := 0; i < n; i++ {
			rt.Copy(e, rt.At(to, i, size), rt.At(from, i, size))
		}
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
	return pointer(d, rt.MakeMap(d, n), 0)
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
	kind := rt.KindOf(t)
	word := kind == rt.String || size == 8 || size == 4 || size == 2 || size == 1
	return func(i, j int) {
		if uint(i) >= uint(h.Len) || uint(j) >= uint(h.Len) {
			if h.Len > 1 && word {
				// Go exchanges such elements as those of a slice.
				inRange(h.Len, i)
				inRange(h.Len, j)
			}
			panic("reflect: slice index out of range")
		}
		rt.Swap(t, rt.At(h.Data, i, size), rt.At(h.Data, j, size))
	}
}

// SliceAt is a slice of n elements of type t in the memory at p.
func SliceAt(t Type, p unsafe.Pointer, n int) Value {
	size := t.Size()
	switch {
	case n < 0 || size > 0 && uintptr(n) > -uintptr(p)/size && p != nil:
		panic(unsafeError("unsafe.Slice: len out of range"))
	case p == nil && n > 0:
		panic(unsafeError("unsafe.Slice: ptr is nil and len is not zero"))
	}
	st := SliceOf(t).desc()
	cell := rt.New(st, 1)
	*(*rt.SliceHeader)(cell) = rt.SliceHeader{Data: p, Len: n, Cap: n}
	return value(st, cell, 0)
}

// An unsafeError is the run-time error of unsafe.Slice.
type unsafeError string

func (e unsafeError) Error() string { return "runtime error: " + string(e) }
func (unsafeError) RuntimeError()   {}
