// SPDX-License-Identifier: MIT

package reflect

import "internal/rt"

// PointerTo is the type *t.
func PointerTo(t Type) Type { return toType(rt.PointerTo(t.desc())) }

// PtrTo is the old name of PointerTo.
func PtrTo(t Type) Type { return PointerTo(t) }

// SliceOf is the type []t.
func SliceOf(t Type) Type { return toType(rt.SliceOf(t.desc())) }

// ArrayOf is the type [length]elem.
func ArrayOf(length int, elem Type) Type {
	if length < 0 {
		panic("reflect: negative length passed to ArrayOf")
	}
	t := rt.ArrayOf(length, elem.desc())
	if t == nil {
		panic("reflect.ArrayOf: array size would exceed virtual address space")
	}
	return toType(t)
}

// MapOf is the type map[key]elem.
func MapOf(key, elem Type) Type {
	if !key.Comparable() {
		panic("reflect.MapOf: invalid key type " + key.String())
	}
	return toType(rt.MapOf(key.desc(), elem.desc()))
}

// ChanOf is a channel type of t's.
func ChanOf(dir ChanDir, t Type) Type {
	if t.Size() >= 1<<16 {
		panic("reflect.ChanOf: element size too large")
	}
	if dir < RecvDir || dir > BothDir {
		panic("reflect.ChanOf: invalid dir")
	}
	return toType(rt.ChanOf(int(dir), t.desc()))
}

// FuncOf is the type of functions from in to out; the last of in is a slice if
// they are variadic.
func FuncOf(in, out []Type, variadic bool) Type {
	if variadic && (len(in) == 0 || in[len(in)-1].Kind() != Slice) {
		panic("reflect.FuncOf: last arg of variadic func must be slice")
	}
	all := make([]rt.Type, 0, len(in)+len(out))
	for _, t := range in {
		all = append(all, t.desc())
	}
	for _, t := range out {
		all = append(all, t.desc())
	}
	return toType(rt.FuncOf(all, len(in), variadic))
}

// withReceiver is the function type ft with a first parameter of type t.
func withReceiver(t, ft rt.Type) rt.Type {
	n := rt.NumIn(ft) + rt.NumOut(ft)
	all := make([]rt.Type, 1, 1+n)
	all[0] = t
	for i := 0; i < n; i++ {
		all = append(all, rt.In(ft, i))
	}
	return rt.FuncOf(all, 1+rt.NumIn(ft), rt.Variadic(ft))
}
