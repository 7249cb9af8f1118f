// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"unsafe"
)

// assignTo converts v to type t as an assignment does.
func (v Value) assignTo(context string, t rt.Type) Value {
	if v.t == t && v.flag&flagMeth == 0 {
		return v
	}
	if v.t == nil {
		panic(&ValueError{context, Invalid})
	}
	if !assignable(v.t, t) {
		panic(context + ": value of type " + rt.TypeString(v.t) +
			" is not assignable to type " + rt.TypeString(t))
	}
	if rt.KindOf(t) != rt.Interface {
		if v.flag&flagMeth != 0 {
			return pointer(t, v.word(), v.flag&flagRO)
		}
		return Value{t, v.p, v.flag}
	}
	cell := rt.New(t, 1)
	rt.SetIface(t, cell, v.iface())
	return value(t, cell, v.flag&flagRO)
}

func (v Value) Set(x Value) {
	v.set("Set")
	x.exported("reflect.Value.Set")
	x = x.assignTo("reflect.Set", v.t)
	rt.Copy(v.t, v.p, x.addr())
}

func (v Value) SetZero() {
	v.set("SetZero")
	rt.Copy(v.t, v.p, rt.New(v.t, 1))
}

// Clear removes all entries of a map, or makes the elements of a slice zero.
func (v Value) Clear() {
	switch v.kind() {
	case rt.Map:
		rt.MapClear(v.t, v.word())
	case rt.Slice:
		h := (*rt.SliceHeader)(v.p)
		e := rt.Elem(v.t)
		zero := rt.New(e, 1)
		for i, size := 0, rt.Size(e); i < h.Len; i++ {
			rt.Copy(e, rt.At(h.Data, i, size), zero)
		}
	default:
		v.fail("Clear")
	}
}

// Grow makes room for n more elements of a slice.
func (v Value) Grow(n int) {
	v.set("Grow")
	v.need("Grow", rt.Slice)
	h := (*rt.SliceHeader)(v.p)
	switch {
	case n < 0:
		panic("reflect.Value.Grow: negative len")
	case h.Len+n < 0:
		panic("reflect.Value.Grow: slice overflow")
	}
	rt.Grow(rt.Elem(v.t), h, n)
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
	if rt.KindOf(rt.Elem(v.t)) != rt.Uint8 {
		panic("reflect.Value.SetBytes of non-byte slice")
	}
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

func (v Value) SetCap(n int) {
	v.set("SetCap")
	v.need("SetCap", rt.Slice)
	h := (*rt.SliceHeader)(v.p)
	if n < h.Len || n > h.Cap {
		panic("reflect: slice capacity out of range in SetCap")
	}
	h.Cap = n
}

func (v Value) SetComplex(x complex128) {
	v.set("SetComplex")
	switch v.kind() {
	case rt.Complex64:
		*(*complex64)(v.p) = complex64(x)
	case rt.Complex128:
		*(*complex128)(v.p) = x
	default:
		v.fail("SetComplex")
	}
}

func (v Value) SetPointer(x unsafe.Pointer) {
	v.set("SetPointer")
	v.need("SetPointer", rt.UnsafePointer)
	*(*unsafe.Pointer)(v.p) = x
}

// OverflowInt reports whether x does not fit in v's type.
func (v Value) OverflowInt(x int64) bool {
	if !v.CanInt() {
		v.fail("OverflowInt")
	}
	free := 64 - uint(rt.Bits(v.kind()))
	return x<<free>>free != x
}

// OverflowUint reports whether x does not fit in v's type.
func (v Value) OverflowUint(x uint64) bool {
	if !v.CanUint() {
		v.fail("OverflowUint")
	}
	free := 64 - uint(rt.Bits(v.kind()))
	return x<<free>>free != x
}

func overflowFloat32(x float64) bool {
	if x < 0 {
		x = -x
	}
	const max = 0x1p127 * (1 + (1 - 0x1p-23))
	return max < x && x <= 0x1p1023*(1+(1-0x1p-52))
}

// OverflowFloat reports whether x does not fit in v's type.
func (v Value) OverflowFloat(x float64) bool {
	if !v.CanFloat() {
		v.fail("OverflowFloat")
	}
	return v.kind() == rt.Float32 && overflowFloat32(x)
}

// OverflowComplex reports whether x does not fit in v's type.
func (v Value) OverflowComplex(x complex128) bool {
	if !v.CanComplex() {
		v.fail("OverflowComplex")
	}
	return v.kind() == rt.Complex64 &&
		(overflowFloat32(real(x)) || overflowFloat32(imag(x)))
}
