// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"unsafe"
)

// A Method describes a method of a type.
type Method struct {
	Name    string
	PkgPath string
	Type    Type  // of a concrete type's, with the receiver first
	Func    Value // the same; invalid of an interface's
	Index   int
}

// IsExported reports whether the method is exported.
func (m Method) IsExported() bool { return m.PkgPath == "" }

func (t *rtype) NumMethod() int {
	d := t.desc()
	n := rt.NumMethod(d)
	if rt.KindOf(d) == rt.Interface {
		return n
	}
	count := 0
	for i := 0; i < n; i++ {
		if _, _, exported := rt.Method(d, i); exported {
			count++
		}
	}
	return count
}

// methodAt is where method i stands among all of t, unexported ones included;
// -1 if it does not exist.
func methodAt(t rt.Type, i int) int {
	n := rt.NumMethod(t)
	if rt.KindOf(t) == rt.Interface {
		if uint(i) >= uint(n) {
			return -1
		}
		return i
	}
	for k := 0; k < n && i >= 0; k++ {
		if _, _, exported := rt.Method(t, k); exported {
			if i == 0 {
				return k
			}
			i--
		}
	}
	return -1
}

// Method describes an exported method, or one of an interface.
func (t *rtype) Method(i int) Method {
	d := t.desc()
	at := methodAt(d, i)
	if rt.KindOf(d) == rt.Interface {
		if at < 0 {
			return Method{}
		}
		name, mt, exported := rt.Method(d, at)
		m := Method{Name: name, Type: toType(mt), Index: i}
		if !exported {
			m.PkgPath = rt.MethodPkg(d, at)
		}
		return m
	}
	if at < 0 {
		panic("reflect: Method index out of range")
	}
	name, mt, _ := rt.Method(d, at)
	mt = withReceiver(d, mt)
	return Method{Name: name, Type: toType(mt), Func: methodFunc(d, at, mt), Index: i}
}

// methodFunc is method at of t as a function of type mt, which takes the
// receiver first.
func methodFunc(t rt.Type, at int, mt rt.Type) Value {
	if words>>rt.KindOf(t)&1 != 0 {
		// What an interface holds is the receiver itself.
		return pointer(mt, rt.MethodCode(t, at), 0)
	}
	_, ft, _ := rt.Method(t, at)
	m := &boundMethod{rcvr: Value{t: t}, at: at, t: ft}
	return pointer(mt, closure(mt, callMethod, unsafe.Pointer(m), rt.MethodPC(t, at)), 0)
}

func (t *rtype) MethodByName(name string) (Method, bool) {
	d := t.desc()
	index := 0
	for k, n := 0, rt.NumMethod(d); k < n; k++ {
		have, _, exported := rt.Method(d, k)
		if !exported && rt.KindOf(d) != rt.Interface {
			continue
		}
		if have == name {
			return t.Method(index), true
		}
		index++
	}
	return Method{}, false
}

// A boundMethod is a method with its receiver: what a Value made by Method
// points to.
type boundMethod struct {
	rcvr Value
	at   int
	t    rt.Type // without receiver
	code func(m *boundMethod, op string) (fn, word unsafe.Pointer)
}

func bind(v Value, at int, t rt.Type, f flag) Value {
	m := &boundMethod{v, at, t, receive}
	return Value{t, unsafe.Pointer(m), flag(Func) | flagMeth | f}
}

func (v Value) method() *boundMethod { return (*boundMethod)(v.p) }

// receive finds the method's code, and the receiver as an interface holds it.
// Only those who make a boundMethod refer to it, so that other programs do not
// have the code of all methods.
func receive(m *boundMethod, op string) (fn, word unsafe.Pointer) {
	t := m.rcvr.t
	iface := rt.KindOf(t) == rt.Interface
	if _, _, exported := rt.Method(t, m.at); iface && !exported {
		panic("reflect: " + op + " of unexported method")
	}
	x := rt.Make(t, m.rcvr.addr())
	if x == nil {
		panic("reflect: " + op + " of method on nil interface value")
	}
	dt, word := rt.Unpack(x)
	if iface {
		return rt.IfaceCode(t, m.at, dt), word
	}
	return rt.MethodCode(t, m.at), word
}

// closure is the method as a function value.
func (m *boundMethod) closure() unsafe.Pointer {
	v := *m
	v.code(&v, "Interface") // panics now rather than when it is called
	stub := methodValueCall
	pc := rt.FuncPC(*(*unsafe.Pointer)(unsafe.Pointer(&stub)))
	return closure(m.t, callBound, unsafe.Pointer(&v), pc)
}

// methodValueCall is what such closures are called.
func methodValueCall() {}

// callBound is what such closures call: see rt.FuncCode. What it calls may
// recover as if deferred itself, so nobody may stand between.
func callBound(impl, args unsafe.Pointer) unsafe.Pointer {
	m := (*boundMethod)(impl)
	fn, word := m.code(m, "Call")
	list := append([]unsafe.Pointer{word},
		unsafe.Slice((*unsafe.Pointer)(args), rt.NumIn(m.t))...)
	results := newResults(m.t)
	caller := rt.Caller(m.t, true)
	(*(*func(fn, args, results unsafe.Pointer))(unsafe.Pointer(&caller)))(
		fn, first(list), first(results))
	return first(results)
}

// callMethod is the same for a method at `at` whose receiver is the first
// argument.
func callMethod(impl, args unsafe.Pointer) unsafe.Pointer {
	m := (*boundMethod)(impl)
	all := unsafe.Slice((*unsafe.Pointer)(args), 1+rt.NumIn(m.t))
	list := append([]unsafe.Pointer(nil), all...)
	_, list[0] = rt.Unpack(rt.Make(m.rcvr.t, all[0]))
	results := newResults(m.t)
	caller := rt.Caller(m.t, true)
	(*(*func(fn, args, results unsafe.Pointer))(unsafe.Pointer(&caller)))(
		rt.MethodCode(m.rcvr.t, m.at), first(list), first(results))
	return first(results)
}

// Method is method i of v, with v as its receiver.
func (v Value) Method(i int) Value {
	if v.t == nil {
		v.fail("Method")
	}
	at := -1
	if v.flag&flagMeth == 0 {
		at = methodAt(v.t, i)
	}
	if at < 0 {
		panic("reflect: Method index out of range")
	}
	if v.kind() == rt.Interface && v.IsNil() {
		panic("reflect: Method on nil interface value")
	}
	_, mt, _ := rt.Method(v.t, at)
	return bind(v, at, mt, v.ro())
}

// MethodByName is the method of that name; invalid if there is none.
func (v Value) MethodByName(name string) Value {
	if v.t == nil {
		v.fail("MethodByName")
	}
	if v.flag&flagMeth != 0 {
		return Value{}
	}
	index := 0
	for k, n := 0, rt.NumMethod(v.t); k < n; k++ {
		have, _, exported := rt.Method(v.t, k)
		if !exported && v.kind() != rt.Interface {
			continue
		}
		if have == name {
			return v.Method(index)
		}
		index++
	}
	return Value{}
}

func (v Value) NumMethod() int {
	if v.t == nil {
		v.fail("NumMethod")
	}
	if v.flag&flagMeth != 0 {
		return 0
	}
	return toType(v.t).NumMethod()
}
