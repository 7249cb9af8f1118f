// SPDX-License-Identifier: MIT

package fmt

// Values of all types, by what the runtime knows of them; print.go has those
// that need none of that.

import (
	"internal/rt"
	"unsafe"
)

// holder returns the value of type t at v if it is a reflect.Value. A pointer
// to one and what embeds one have its methods too, but are printed like any
// other value.
func holder(t rt.Type, v unsafe.Pointer) rt.Holder {
	if rt.KindOf(t) != rt.Struct {
		return nil
	}
	h, ok := rt.Make(t, v).(rt.Holder)
	if !ok || rt.TypeString(t) != "reflect.Value" {
		return nil
	}
	return h
}

// printHeld prints what a reflect.Value holds.
func (p *pp) printHeld(h rt.Holder, verb rune) {
	t, v, ro := h.RTValue()
	if t == nil {
		p.put("<invalid reflect.Value>")
		return
	}
	p.t, p.v = t, v
	if x := rt.Make(t, v); !ro && x != nil {
		// What an interface holds is asked, and named if the verb is bad.
		if rt.KindOf(t) == rt.Interface {
			p.t, p.v = rt.TypeOf(x), rt.Addr(x)
		}
		if (rt.NumMethod(p.t) != 0 || verb == 'w') && p.handleMethods(x, verb) {
			return
		}
		p.t, p.v = t, v
	}
	p.printTop(t, v, verb, ro)
}

// printTop prints an argument whose methods have been tried. ro is
// printValue's.
func (p *pp) printTop(t rt.Type, v unsafe.Pointer, verb rune, ro bool) {
	if verb == 'p' {
		switch k := rt.KindOf(t); k {
		case rt.Chan, rt.Func, rt.Map, rt.Pointer, rt.Slice, rt.UnsafePointer:
			p.printPointer(t, address(k, v), verb)
		default:
			p.badVerb(verb)
		}
		return
	}
	p.printValue(t, v, verb, 0, ro)
}

// printValue prints the value of type t at v. ro: it came from an unexported
// field, so that its methods are out of reach.
func (p *pp) printValue(t rt.Type, v unsafe.Pointer, verb rune, depth int, ro bool) {
	kind := rt.KindOf(t)
	if depth > 0 {
		p.t, p.v = t, v
		if !ro && kind != rt.Interface && (rt.NumMethod(t) != 0 || verb == 'w') &&
			p.handleMethods(rt.Make(t, v), verb) {
			return
		}
	}
	switch kind {
	case rt.Bool:
		p.printBool(*(*bool)(v), verb)
	case rt.Int, rt.Int8, rt.Int16, rt.Int32, rt.Int64:
		p.printInteger(rt.Load(kind, v), true, verb)
	case rt.Uint, rt.Uint8, rt.Uint16, rt.Uint32, rt.Uint64, rt.Uintptr:
		p.printInteger(rt.Load(kind, v), false, verb)
	case rt.Float32:
		p.printFloat(float64(*(*float32)(v)), 32, verb)
	case rt.Float64:
		p.printFloat(*(*float64)(v), 64, verb)
	case rt.Complex64:
		p.printComplex(complex128(*(*complex64)(v)), 64, verb)
	case rt.Complex128:
		p.printComplex(*(*complex128)(v), 128, verb)
	case rt.String:
		p.printString(*(*string)(v), verb)
	case rt.Map:
		p.printMap(t, *(*unsafe.Pointer)(v), verb, depth, ro)
	case rt.Struct:
		p.printStruct(t, v, verb, depth, ro)
	case rt.Interface:
		p.printInterface(t, v, verb, depth, ro)
	case rt.Array:
		p.printList(t, v, rt.Len(t), false, verb, depth, ro)
	case rt.Slice:
		h := (*rt.SliceHeader)(v)
		p.printList(t, h.Data, h.Len, h.Data == nil, verb, depth, ro)
	case rt.Pointer:
		u := *(*unsafe.Pointer)(v)
		if depth == 0 && u != nil {
			e := rt.Elem(t)
			switch rt.KindOf(e) {
			case rt.Array, rt.Slice, rt.Struct, rt.Map:
				p.buf = append(p.buf, '&')
				p.printValue(e, u, verb, depth+1, ro)
				return
			}
		}
		p.printPointer(t, uint64(uintptr(u)), verb)
	case rt.Chan, rt.Func, rt.UnsafePointer:
		p.printPointer(t, address(kind, v), verb)
	}
}

// address is what is shown of the pointer-like value at v, of kind k: of a func
// where its code begins, so that closures of one function show the same.
func address(k int, v unsafe.Pointer) uint64 {
	if k == rt.Func {
		return uint64(rt.FuncPC(*(*unsafe.Pointer)(v)))
	}
	return rt.Load(rt.Pointer, v)
}

func (p *pp) printMap(t rt.Type, m unsafe.Pointer, verb rune, depth int, ro bool) {
	sep := " "
	if p.sharpV {
		p.put(rt.TypeString(t))
		if m == nil {
			p.put("(nil)")
			return
		}
		p.buf = append(p.buf, '{')
		sep = ", "
	} else {
		p.put("map[")
	}
	kt, et := rt.Key(t), rt.Elem(t)
	ks, es := rt.Size(kt), rt.Size(et)
	keys, vals, n := rt.MapEntries(t, m)
	for i, k := range sortedKeys(kt, keys, n) {
		if i > 0 {
			p.put(sep)
		}
		p.printValue(kt, rt.At(keys, k, ks), verb, depth+1, ro)
		p.buf = append(p.buf, ':')
		p.printValue(et, rt.At(vals, k, es), verb, depth+1, ro)
	}
	if p.sharpV {
		p.buf = append(p.buf, '}')
	} else {
		p.buf = append(p.buf, ']')
	}
}

func (p *pp) printStruct(t rt.Type, v unsafe.Pointer, verb rune, depth int, ro bool) {
	if p.sharpV {
		p.put(rt.TypeString(t))
	}
	p.buf = append(p.buf, '{')
	n := rt.NumField(t)
	for i := 0; i < n; i++ {
		if i > 0 {
			if p.sharpV {
				p.put(", ")
			} else {
				p.buf = append(p.buf, ' ')
			}
		}
		name, ft, off, fl := rt.Field(t, i)
		if p.plusV || p.sharpV {
			p.put(name)
			p.buf = append(p.buf, ':')
		}
		p.printValue(ft, rt.At(v, 1, off), verb, depth+1, ro || fl&rt.Exported == 0)
	}
	p.buf = append(p.buf, '}')
}

func (p *pp) printInterface(t rt.Type, v unsafe.Pointer, verb rune, depth int, ro bool) {
	x := rt.Make(t, v)
	if x != nil {
		p.printValue(rt.TypeOf(x), rt.Addr(x), verb, depth+1, ro)
	} else if p.sharpV {
		p.put(rt.TypeString(t))
		p.put("(nil)")
	} else {
		p.put("<nil>")
	}
}

// printList prints the n elements at base of an array or slice.
func (p *pp) printList(t rt.Type, base unsafe.Pointer, n int, isNil bool, verb rune, depth int, ro bool) {
	et := rt.Elem(t)
	ek := rt.KindOf(et)
	if ek == rt.Uint8 {
		ts := rt.TypeString(t)
		isBytes := depth == 0 && rt.TypeOf([]byte(nil)) == t
		if isBytes {
			ts = "[]byte"
		}
		switch verb {
		case 's', 'q', 'x', 'X':
			isBytes = true
		case 'v', 'd':
		default:
			isBytes = false
		}
		if isBytes {
			var b []byte
			if !isNil {
				b = unsafe.Slice((*byte)(base), n)
			}
			p.printBytes(b, verb, ts)
			return
		}
	}
	open, sep, end := byte('['), " ", byte(']')
	if p.sharpV {
		p.put(rt.TypeString(t))
		if isNil {
			p.put("(nil)")
			return
		}
		open, sep, end = '{', ", ", '}'
	}
	p.buf = append(p.buf, open)
	size := rt.Size(et)
	for i := 0; i < n; i++ {
		if i > 0 {
			p.put(sep)
		}
		p.printValue(et, rt.At(base, i, size), verb, depth+1, ro)
	}
	p.buf = append(p.buf, end)
}
