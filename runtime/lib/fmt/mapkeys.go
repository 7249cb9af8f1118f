// SPDX-License-Identifier: MIT

package fmt

import (
	"internal/rt"
	"unsafe"
)

// sortedKeys returns the order in which to print the n map keys at base.
func sortedKeys(t rt.Type, base unsafe.Pointer, n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if n > 1 {
		mergeSort(order, make([]int, n), t, base, rt.Size(t))
	}
	return order
}

func mergeSort(a, tmp []int, t rt.Type, base unsafe.Pointer, size uintptr) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	mergeSort(a[:m], tmp[:m], t, base, size)
	mergeSort(a[m:], tmp[m:], t, base, size)
	copy(tmp, a)
	i, k := 0, m
	for at := range a {
		if k >= len(a) || i < m &&
			compare(t, rt.At(base, tmp[i], size), rt.At(base, tmp[k], size)) <= 0 {
			a[at] = tmp[i]
			i++
		} else {
			a[at] = tmp[k]
			k++
		}
	}
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	case a != a && b != b:
		return 0
	case a != a:
		return -1 // NaN goes first
	}
	return 1
}

func compareUints(a, b uint64) int {
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}

// compare orders two values of type t, which may be a map's key type.
func compare(t rt.Type, p, q unsafe.Pointer) int {
	switch kind := rt.KindOf(t); kind {
	case rt.Int, rt.Int8, rt.Int16, rt.Int32, rt.Int64:
		a, b := int64(rt.Load(kind, p)), int64(rt.Load(kind, q))
		if a < b {
			return -1
		}
		if a > b {
			return 1
		}
		return 0
	case rt.String:
		a, b := *(*string)(p), *(*string)(q)
		if a < b {
			return -1
		}
		if a > b {
			return 1
		}
		return 0
	case rt.Float32:
		return compareFloats(float64(*(*float32)(p)), float64(*(*float32)(q)))
	case rt.Float64:
		return compareFloats(*(*float64)(p), *(*float64)(q))
	case rt.Complex64, rt.Complex128:
		var a, b complex128
		if kind == rt.Complex64 {
			a, b = complex128(*(*complex64)(p)), complex128(*(*complex64)(q))
		} else {
			a, b = *(*complex128)(p), *(*complex128)(q)
		}
		if c := compareFloats(real(a), real(b)); c != 0 {
			return c
		}
		return compareFloats(imag(a), imag(b))
	case rt.Struct:
		for i, n := 0, rt.NumField(t); i < n; i++ {
			ft, off, _ := rt.Part(t, i)
			if c := compare(ft, rt.At(p, 1, off), rt.At(q, 1, off)); c != 0 {
				return c
			}
		}
		return 0
	case rt.Array:
		et := rt.Elem(t)
		size := rt.Size(et)
		for i, n := 0, rt.Len(t); i < n; i++ {
			if c := compare(et, rt.At(p, i, size), rt.At(q, i, size)); c != 0 {
				return c
			}
		}
		return 0
	case rt.Interface:
		a, b := rt.Make(t, p), rt.Make(t, q)
		if a == nil || b == nil {
			if a == nil && b == nil {
				return 0
			}
			if a == nil {
				return -1
			}
			return 1
		}
		at, bt := rt.TypeOf(a), rt.TypeOf(b)
		if at != bt {
			return compareUints(uint64(uintptr(unsafe.Pointer(at))), uint64(uintptr(unsafe.Pointer(bt))))
		}
		return compare(at, rt.Addr(a), rt.Addr(b))
	default: // bool, unsigned integers, pointers, channels
		return compareUints(rt.Load(kind, p), rt.Load(kind, q))
	}
}
