// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"unsafe"
)

// visit is a comparison in progress, so that cycles end.
type visit struct {
	p, q unsafe.Pointer
	t    rt.Type
}

// DeepEqual compares x and y with everything that they point to.
func DeepEqual(x, y any) bool {
	if x == nil || y == nil {
		return x == y
	}
	t := rt.TypeOf(x)
	return t == rt.TypeOf(y) && deepEqual(t, rt.Addr(x), rt.Addr(y), map[visit]bool{})
}

// enter reports whether the comparison is in progress or done already.
func enter(seen map[visit]bool, p, q unsafe.Pointer, t rt.Type) bool {
	v := visit{p, q, t}
	if seen[v] {
		return true
	}
	seen[v] = true
	return false
}

// typeOfTypes is the type of what a Type points to, whose bytes tell nothing
// of the type that it stands for.
var typeOfTypes = rt.Elem(rt.TypeOf((*rtype)(nil)))

// deepEqual compares the values of type t at p and q.
func deepEqual(t rt.Type, p, q unsafe.Pointer, seen map[visit]bool) bool {
	switch rt.KindOf(t) {
	case rt.Array:
		return deepEqualList(rt.Elem(t), p, q, rt.Len(t), seen)
	case rt.Slice:
		a, b := (*rt.SliceHeader)(p), (*rt.SliceHeader)(q)
		if (a.Data == nil) != (b.Data == nil) || a.Len != b.Len {
			return false
		}
		if a.Data == b.Data || enter(seen, a.Data, b.Data, t) {
			return true
		}
		return deepEqualList(rt.Elem(t), a.Data, b.Data, a.Len, seen)
	case rt.Interface:
		a, b := rt.Make(t, p), rt.Make(t, q)
		if a == nil || b == nil {
			return a == nil && b == nil
		}
		at := rt.TypeOf(a)
		return at == rt.TypeOf(b) && deepEqual(at, rt.Addr(a), rt.Addr(b), seen)
	case rt.Pointer:
		a, b := *(*unsafe.Pointer)(p), *(*unsafe.Pointer)(q)
		if a == b {
			return true
		}
		return a != nil && b != nil && rt.Elem(t) != typeOfTypes &&
			(enter(seen, a, b, t) || deepEqual(rt.Elem(t), a, b, seen))
	case rt.Struct:
		for i, n := 0, rt.NumField(t); i < n; i++ {
			ft, off, _ := rt.Part(t, i)
			if !deepEqual(ft, rt.At(p, 1, off), rt.At(q, 1, off), seen) {
				return false
			}
		}
		return true
	case rt.Map:
		a, b := *(*unsafe.Pointer)(p), *(*unsafe.Pointer)(q)
		if (a == nil) != (b == nil) || rt.MapLen(a) != rt.MapLen(b) {
			return false
		}
		return a == b || enter(seen, a, b, t) || deepEqualMap(t, a, b, seen)
	case rt.Func:
		return *(*unsafe.Pointer)(p) == nil && *(*unsafe.Pointer)(q) == nil
	}
	return rt.Equal(t, p, q)
}

func deepEqualList(t rt.Type, p, q unsafe.Pointer, n int, seen map[visit]bool) bool {
	size := rt.Size(t)
	for i := 0; i < n; i++ {
		if !deepEqual(t, rt.At(p, i, size), rt.At(q, i, size), seen) {
			return false
		}
	}
	return true
}

func deepEqualMap(t rt.Type, a, b unsafe.Pointer, seen map[visit]bool) bool {
	kt, et := rt.Key(t), rt.Elem(t)
	keys, vals, n := rt.MapEntries(t, a)
	for i := 0; i < n; i++ {
		other := rt.MapGet(t, b, rt.At(keys, i, rt.Size(kt)))
		if other == nil || !deepEqual(et, rt.At(vals, i, rt.Size(et)), other, seen) {
			return false
		}
	}
	return true
}
