// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"runtime"
	"unsafe"
)

// Call calls the function v; what is too many for a variadic one goes into its
// last parameter.
func (v Value) Call(in []Value) []Value {
	v.need("Call", rt.Func)
	v.exported("reflect.Value.Call")
	return v.call("Call", in)
}

// CallSlice calls the variadic function v, whose last argument is the slice.
func (v Value) CallSlice(in []Value) []Value {
	v.need("CallSlice", rt.Func)
	v.exported("reflect.Value.CallSlice")
	return v.call("CallSlice", in)
}

// arguments checks in; the last one of a variadic function is made of what
// lies behind the first n of them, if there are more parameters.
func arguments(op string, t rt.Type, in []Value) (n int) {
	n = rt.NumIn(t)
	pack := rt.Variadic(t) && op == "Call"
	if op == "CallSlice" && !rt.Variadic(t) {
		panic("reflect: CallSlice of non-variadic function")
	}
	if pack {
		n--
	}
	if len(in) < n {
		panic("reflect: " + op + " with too few input arguments")
	}
	if len(in) > n && !pack {
		panic("reflect: " + op + " with too many input arguments")
	}
	for _, x := range in {
		if x.t == nil {
			panic("reflect: " + op + " using zero Value argument")
		}
	}
	for i := 0; i < n; i++ {
		d, e := in[i].t, rt.In(t, i)
		if d == e {
			continue
		}
		if !assignable(d, e) {
			panic("reflect: " + op + " using " + rt.TypeString(d) + " as type " +
				rt.TypeString(e))
		}
	}
	return n
}

// packed is where a slice of the values lies, of which e is the elements' type.
func packed(op string, e rt.Type, in []Value) unsafe.Pointer {
	h := &rt.SliceHeader{rt.New(e, len(in)), len(in), len(in)}
	for i, x := range in {
		if !assignable(x.t, e) {
			panic("reflect: cannot use " + rt.TypeString(x.t) + " as type " +
				rt.TypeString(e) + " in " + op)
		}
		x.exported("reflect.Value.Set")
		p := rt.At(h.Data, i, rt.Size(e))
		if rt.KindOf(e) == rt.Interface {
			rt.SetIface(e, p, x.iface())
		} else {
			rt.Copy(e, p, x.assignTo("reflect.Set", e).addr())
		}
	}
	return unsafe.Pointer(h)
}

// first is the address of an array of pointers.
func first(list []unsafe.Pointer) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(list))
}

// newResults has room for the results of a function of type t.
func newResults(t rt.Type) []unsafe.Pointer {
	results := make([]unsafe.Pointer, rt.NumOut(t))
	fillResults(t, results)
	return results
}

// fillResults makes a place for each result of a function of type t.
func fillResults(t rt.Type, results []unsafe.Pointer) {
	nin := rt.NumIn(t)
	for i := range results {
		results[i] = rt.New(rt.In(t, nin+i), 1)
	}
}

func (v Value) call(op string, in []Value) []Value {
	t := v.t
	nin, nout := rt.NumIn(t), rt.NumOut(t)
	var fn unsafe.Pointer
	// Where the results go, then where the arguments are: a receiver, too.
	words := make([]unsafe.Pointer, nout+1+nin)
	results, args := words[:nout], words[nout:nout]
	method := v.flag&flagMeth != 0
	if method {
		m := v.method()
		var word unsafe.Pointer
		fn, word = m.code(m, op)
		args = append(args, word)
	} else {
		fn = v.word()
	}
	if fn == nil {
		panic("reflect.Value.Call: call of nil function")
	}
	var rest unsafe.Pointer
	n := arguments(op, t, in)
	if n < nin {
		rest = packed(op, rt.Elem(rt.In(t, n)), in[n:])
	}
	for i, x := range in[:n] {
		x.exportedFor(op)
		args = append(args, x.assignTo("reflect.Value.Call", rt.In(t, i)).addr())
	}
	if n < nin {
		args = append(args, rest)
	}
	fillResults(t, results)
	caller := rt.Caller(t, method)
	(*(*func(fn, args, results unsafe.Pointer))(unsafe.Pointer(&caller)))(
		fn, first(args), first(results))
	out := make([]Value, nout)
	for i, p := range results {
		out[i] = loaded(rt.In(t, nin+i), p, 0)
	}
	return out
}

// A madeFunc is what function values made by MakeFunc have captured.
type madeFunc struct {
	t  rt.Type
	fn func([]Value) []Value
}

// MakeFunc makes a function of type t that calls fn with its arguments.
func MakeFunc(t Type, fn func(args []Value) (results []Value)) Value {
	if t.Kind() != Func {
		panic("reflect: call of MakeFunc with non-Func type")
	}
	d := t.desc()
	return pointer(d, closure(d, callMade, unsafe.Pointer(&madeFunc{d, fn}), 0), 0)
}

// closure is a function value of type t that calls body with impl: see
// rt.FuncCode.
func closure(t rt.Type, body func(impl, args unsafe.Pointer) unsafe.Pointer,
	impl unsafe.Pointer, pc uintptr) unsafe.Pointer {
	return unsafe.Pointer(&struct {
		code uintptr
		impl unsafe.Pointer
		pc   uintptr
	}{rt.FuncCode(t, body), impl, pc})
}

// callMade is what every function made by MakeFunc calls: see rt.FuncCode.
func callMade(impl, args unsafe.Pointer) unsafe.Pointer {
	m := (*madeFunc)(impl)
	nin, nout := rt.NumIn(m.t), rt.NumOut(m.t)
	in := make([]Value, nin)
	for i, p := range unsafe.Slice((*unsafe.Pointer)(args), nin) {
		in[i] = loaded(rt.In(m.t, i), p, 0)
	}
	out := m.fn(in)
	if len(out) != nout {
		panic("reflect: wrong return count from function created by MakeFunc")
	}
	results := make([]unsafe.Pointer, nout)
	for i, v := range out {
		if v.t == nil {
			panic("reflect: function created by MakeFunc using " + m.name() +
				" returned zero Value")
		}
		if v.flag&flagRO != 0 {
			panic("reflect: function created by MakeFunc using " + m.name() +
				" returned value obtained from unexported field")
		}
		results[i] = v.assignTo("reflect.MakeFunc", rt.In(m.t, nin+i)).addr()
	}
	return first(results)
}

// name is that of the function behind m.
func (m *madeFunc) name() string {
	word := *(*unsafe.Pointer)(unsafe.Pointer(&m.fn))
	if f := runtime.FuncForPC(rt.FuncPC(word)); f != nil {
		return f.Name()
	}
	return "closure"
}
