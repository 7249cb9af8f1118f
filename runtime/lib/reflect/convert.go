// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"strconv"
	"unsafe"
)

// How a conversion works.
const (
	convNone   = iota
	convSame   // the memory stays as it is
	convIface  // to an interface
	convNumber // between integers and floats
	convComplex
	convRune  // integer to string
	convBytes // between strings and []byte
	convRunes // between strings and []rune
	convArray // slice to array
	convArrayPtr
)

func isNumber(kind int) bool { return rt.Int <= kind && kind <= rt.Float64 }

func isInt(kind int) bool { return rt.Int <= kind && kind <= rt.Uintptr }

func isComplex(kind int) bool { return kind == rt.Complex64 || kind == rt.Complex128 }

// textSlice is convBytes or convRunes for []byte and []rune.
func textSlice(t rt.Type) int {
	if rt.KindOf(t) == rt.Slice && rt.PkgPath(rt.Elem(t)) == "" {
		switch rt.KindOf(rt.Elem(t)) {
		case rt.Uint8:
			return convBytes
		case rt.Int32:
			return convRunes
		}
	}
	return convNone
}

func conversion(from, to rt.Type) int {
	f, t := rt.KindOf(from), rt.KindOf(to)
	switch {
	case from == to:
		return convSame
	case isNumber(f) && isNumber(t):
		return convNumber
	case isComplex(f) && isComplex(t):
		return convComplex
	case isInt(f) && t == rt.String:
		return convRune
	case f == rt.String && t == rt.Slice && textSlice(to) != convNone:
		return textSlice(to)
	case t == rt.String && f == rt.Slice && textSlice(from) != convNone:
		return textSlice(from)
	case f == rt.Slice && t == rt.Array && rt.Elem(from) == rt.Elem(to):
		return convArray
	case f == rt.Slice && t == rt.Pointer && rt.KindOf(rt.Elem(to)) == rt.Array &&
		rt.Elem(from) == rt.Elem(rt.Elem(to)):
		return convArrayPtr
	case sameUnderlying(from, to, false), bothWays(from, to):
		return convSame
	case f == rt.Pointer && t == rt.Pointer && rt.Name(from) == "" && rt.Name(to) == "" &&
		sameUnderlying(rt.Elem(from), rt.Elem(to), false):
		return convSame
	case t == rt.Interface && rt.Implements(from, to):
		return convIface
	}
	return convNone
}

func (t *rtype) ConvertibleTo(u Type) bool {
	if u == nil {
		panic("reflect: nil type passed to Type.ConvertibleTo")
	}
	return conversion(t.desc(), u.desc()) != convNone
}

// CanConvert reports whether Convert does not panic.
func (v Value) CanConvert(t Type) bool {
	if !v.Type().ConvertibleTo(t) {
		return false
	}
	switch conversion(v.t, t.desc()) {
	case convArray:
		return t.Len() <= v.Len()
	case convArrayPtr:
		return t.Elem().Len() <= v.Len()
	}
	return true
}

// Convert is the conversion of v to type t.
func (v Value) Convert(t Type) Value {
	d := t.desc()
	_ = *v.t // an invalid value has no type to convert from
	if v.flag&flagMeth != 0 {
		v = pointer(v.t, v.word(), v.ro())
	}
	how := conversion(v.t, d)
	if how == convNone {
		panic("reflect.Value.Convert: value of type " + rt.TypeString(v.t) +
			" cannot be converted to type " + rt.TypeString(d))
	}
	out := value(d, rt.New(d, 1), v.ro())
	from, to := v.kind(), rt.KindOf(d)
	switch how {
	case convSame:
		rt.Copy(d, out.p, v.addr())
	case convIface:
		rt.SetIface(d, out.p, rt.Make(v.t, v.addr()))
	case convNumber:
		v.toNumber(from, to, out.p)
	case convComplex:
		if to == rt.Complex64 {
			*(*complex64)(out.p) = complex64(v.Complex())
		} else {
			*(*complex128)(out.p) = v.Complex()
		}
	case convRune:
		r := rune(0xfffd)
		if i := rt.Load(from, v.p); i <= 0x10ffff {
			r = rune(i)
		}
		*(*string)(out.p) = string(r)
	case convBytes:
		if to == rt.String {
			*(*string)(out.p) = string(*(*[]byte)(v.p))
		} else {
			*(*[]byte)(out.p) = []byte(*(*string)(v.p))
		}
	case convRunes:
		if to == rt.String {
			*(*string)(out.p) = string(*(*[]rune)(v.p))
		} else {
			*(*[]rune)(out.p) = []rune(*(*string)(v.p))
		}
	case convArray:
		v.longEnough(rt.Len(d), "array")
		e := rt.Elem(d)
		for i, size := 0, rt.Size(e); i < rt.Len(d); i++ {
			rt.Copy(e, rt.At(out.p, i, size), rt.At(v.word(), i, size))
		}
	case convArrayPtr:
		v.longEnough(rt.Len(rt.Elem(d)), "pointer to array")
		*(*unsafe.Pointer)(out.p) = v.word()
	}
	return loaded(d, out.p, out.flag&flagRO)
}

// longEnough panics if the slice v has fewer than n elements.
func (v Value) longEnough(n int, what string) {
	if n > v.Len() {
		panic("reflect: cannot convert slice with length " + strconv.Itoa(v.Len()) +
			" to " + what + " with length " + strconv.Itoa(n))
	}
}

// toNumber stores v, converted between kinds of numbers, at p.
func (v Value) toNumber(from, to int, p unsafe.Pointer) {
	if isInt(from) {
		u := rt.Load(from, v.p)
		f := float64(u)
		if from <= rt.Int64 {
			f = float64(int64(u))
		}
		switch to {
		case rt.Float32:
			if from <= rt.Int64 {
				*(*float32)(p) = float32(int64(u))
			} else {
				*(*float32)(p) = float32(u)
			}
		case rt.Float64:
			*(*float64)(p) = f
		default:
			rt.Store(to, p, u)
		}
		return
	}
	if from == to {
		// Not by way of another kind: a signalling NaN stays one.
		rt.Copy(v.t, p, v.p)
		return
	}
	f := v.Float()
	switch {
	case to == rt.Float32:
		*(*float32)(p) = float32(f)
	case to == rt.Float64:
		*(*float64)(p) = f
	case to <= rt.Int64:
		rt.Store(to, p, uint64(int64(f)))
	default:
		rt.Store(to, p, uint64(f))
	}
}
