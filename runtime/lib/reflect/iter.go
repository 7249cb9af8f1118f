// SPDX-License-Identifier: MIT

package reflect

import "internal/rt"

// Fields is a sequence of the fields of a struct type.
func (t *rtype) Fields() func(yield func(StructField) bool) {
	t.need("Fields", Struct, "struct")
	return func(yield func(StructField) bool) {
		for i, n := 0, t.NumField(); i < n && yield(t.Field(i)); i++ {
		}
	}
}

// Methods is a sequence of the methods that Method describes.
func (t *rtype) Methods() func(yield func(Method) bool) {
	return func(yield func(Method) bool) {
		for i, n := 0, t.NumMethod(); i < n && yield(t.Method(i)); i++ {
		}
	}
}

// Ins is a sequence of the parameters' types.
func (t *rtype) Ins() func(yield func(Type) bool) {
	t.need("Ins", Func, "func")
	return func(yield func(Type) bool) {
		for i, n := 0, t.NumIn(); i < n && yield(t.In(i)); i++ {
		}
	}
}

// Outs is a sequence of the results' types.
func (t *rtype) Outs() func(yield func(Type) bool) {
	t.need("Outs", Func, "func")
	return func(yield func(Type) bool) {
		for i, n := 0, t.NumOut(); i < n && yield(t.Out(i)); i++ {
		}
	}
}

// Fields is a sequence of the fields of a struct.
func (v Value) Fields() func(yield func(StructField, Value) bool) {
	t := v.Type()
	t.(*rtype).need("Fields", Struct, "struct")
	return func(yield func(StructField, Value) bool) {
		for i, n := 0, v.NumField(); i < n && yield(t.Field(i), v.Field(i)); i++ {
		}
	}
}

// Methods is a sequence of the methods of v's type, and of v.
func (v Value) Methods() func(yield func(Method, Value) bool) {
	return func(yield func(Method, Value) bool) {
		t := v.Type()
		for i, n := 0, v.NumMethod(); i < n && yield(t.Method(i), v.Method(i)); i++ {
		}
	}
}

// yields reports whether t is func(yield func(...) bool) with n parameters.
func (t *rtype) yields(n int) bool {
	if t.kind() != rt.Func || t.NumIn() != 1 || t.NumOut() != 0 {
		return false
	}
	y := t.In(0)
	return y.Kind() == Func && y.NumIn() == n && y.NumOut() == 1 &&
		y.Out(0).Kind() == Bool
}

// CanSeq reports whether Seq can be called on a value of type t.
func (t *rtype) CanSeq() bool {
	switch k := t.kind(); k {
	case rt.Array, rt.Slice, rt.Chan, rt.String, rt.Map:
		return true
	case rt.Func:
		return t.yields(1)
	case rt.Pointer:
		return rt.KindOf(rt.Elem(t.desc())) == rt.Array
	default:
		return isInt(k)
	}
}

// CanSeq2 reports whether Seq2 can be called on a value of type t.
func (t *rtype) CanSeq2() bool {
	switch t.kind() {
	case rt.Array, rt.Slice, rt.String, rt.Map:
		return true
	case rt.Func:
		return t.yields(2)
	case rt.Pointer:
		return rt.KindOf(rt.Elem(t.desc())) == rt.Array
	}
	return false
}

// iterable is v for Seq and Seq2, or the array that it points to.
func (v Value) iterable() Value {
	if v.kind() == rt.Pointer && rt.KindOf(rt.Elem(v.t)) == rt.Array {
		return v.Elem()
	}
	return v
}

// Seq is a sequence of the elements that one variable of a range statement
// over v gets.
func (v Value) Seq() func(yield func(Value) bool) {
	if v.kind() == rt.Func && toType(v.t).(*rtype).yields(1) {
		return func(yield func(Value) bool) {
			v.Call([]Value{MakeFunc(v.Type().In(0), func(in []Value) []Value {
				return []Value{ValueOf(yield(in[0])).Convert(v.Type().In(0).Out(0))}
			})})
		}
	}
	w := v.iterable()
	switch k := w.kind(); k {
	case rt.Array, rt.Slice:
		return func(yield func(Value) bool) {
			for i, n := 0, w.Len(); i < n && yield(ValueOf(i)); i++ {
			}
		}
	case rt.String:
		return func(yield func(Value) bool) {
			for i := range w.String() {
				if !yield(ValueOf(i)) {
					return
				}
			}
		}
	case rt.Map:
		return func(yield func(Value) bool) {
			for it := w.MapRange(); it.Next() && yield(it.Key()); {
			}
		}
	case rt.Chan:
		return func(yield func(Value) bool) {
			for {
				x, ok := w.Recv()
				if !ok || !yield(x) {
					return
				}
			}
		}
	default:
		if isInt(k) {
			return w.count
		}
	}
	panic("reflect: " + v.Type().String() + " cannot produce iter.Seq[Value]")
}

// count yields the integers from 0 to v, of v's type.
func (v Value) count(yield func(Value) bool) {
	if v.CanInt() {
		for i, n := int64(0), v.Int(); i < n; i++ {
			x := New(v.Type()).Elem()
			x.SetInt(i)
			if !yield(loadedCopy(x.t, x.p, 0)) {
				return
			}
		}
		return
	}
	for i, n := uint64(0), v.Uint(); i < n; i++ {
		x := New(v.Type()).Elem()
		x.SetUint(i)
		if !yield(loadedCopy(x.t, x.p, 0)) {
			return
		}
	}
}

// Seq2 is a sequence of the pairs that two variables of a range statement over
// v get.
func (v Value) Seq2() func(yield func(Value, Value) bool) {
	if v.kind() == rt.Func && toType(v.t).(*rtype).yields(2) {
		return func(yield func(Value, Value) bool) {
			v.Call([]Value{MakeFunc(v.Type().In(0), func(in []Value) []Value {
				return []Value{ValueOf(yield(in[0], in[1])).Convert(v.Type().In(0).Out(0))}
			})})
		}
	}
	w := v.iterable()
	switch w.kind() {
	case rt.Array, rt.Slice:
		return func(yield func(Value, Value) bool) {
			for i, n := 0, w.Len(); i < n && yield(ValueOf(i), w.Index(i)); i++ {
			}
		}
	case rt.String:
		return func(yield func(Value, Value) bool) {
			for i, r := range w.String() {
				if !yield(ValueOf(i), ValueOf(r)) {
					return
				}
			}
		}
	case rt.Map:
		return func(yield func(Value, Value) bool) {
			for it := w.MapRange(); it.Next() && yield(it.Key(), it.Value()); {
			}
		}
	}
	panic("reflect: " + v.Type().String() + " cannot produce iter.Seq2[Value, Value]")
}
