// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"unsafe"
)

// What modules take from package reflect by go:linkname, as
// github.com/modern-go/reflect2 does, and nobody else can name. Their own
// declarations say the types; a type is the pointer in a Type.

func unsafe_New(t *rtype) unsafe.Pointer { return rt.New(t.desc(), 1) }

func unsafe_NewArray(t *rtype, n int) unsafe.Pointer {
	if n < 0 {
		panic("reflect: array size out of range")
	}
	return rt.New(t.desc(), n)
}

func typedmemmove(t *rtype, dst, src unsafe.Pointer) { rt.Copy(t.desc(), dst, src) }

// sliceWords are the words of a slice.
type sliceWords struct {
	data     unsafe.Pointer
	len, cap int
}

// typedslicecopy is copy for slices of t.
func typedslicecopy(t *rtype, dst, src sliceWords) int {
	n, size := min(dst.len, src.len), t.Size()
	if uintptr(dst.data) <= uintptr(src.data) {
		for i := 0; i < n; i++ {
			rt.Copy(t.desc(), rt.At(dst.data, i, size), rt.At(src.data, i, size))
		}
		return n
	}
	for i := n - 1; i >= 0; i-- {
		rt.Copy(t.desc(), rt.At(dst.data, i, size), rt.At(src.data, i, size))
	}
	return n
}

func makemap(t *rtype, n int) unsafe.Pointer { return rt.MakeMap(t.desc(), n) }

func maplen(m unsafe.Pointer) int { return rt.MapLen(m) }

func mapaccess(t *rtype, m, key unsafe.Pointer) unsafe.Pointer { return rt.MapGet(t.desc(), m, key) }

func mapassign(t *rtype, m, key, elem unsafe.Pointer) { rt.MapSet(t.desc(), m, key, elem) }

func mapdelete(t *rtype, m, key unsafe.Pointer) { rt.MapDelete(t.desc(), m, key) }

// A linkedIter is what the first words of Go's iterators of maps are to those
// who look at them.
type linkedIter struct {
	key, elem unsafe.Pointer // nil at the end
	t         *rtype
	it        *MapIter
}

// mapiterinit goes to the first entry.
func mapiterinit(t *rtype, m unsafe.Pointer, it *linkedIter) {
	it.t = t
	it.it = &MapIter{m: pointer(t.desc(), m, 0)}
	mapiternext(it)
}

func mapiternext(it *linkedIter) {
	it.key, it.elem = nil, nil
	if it.it.Next() {
		it.key, it.elem = it.it.key(), it.it.elem
	}
}

func mapiterkey(it *linkedIter) unsafe.Pointer { return it.key }

func mapiterelem(it *linkedIter) unsafe.Pointer { return it.elem }

// ifaceE2I stores x as an interface of type t, which it must implement.
func ifaceE2I(t *rtype, x any, dst unsafe.Pointer) { rt.SetIface(t.desc(), dst, x) }

// typelinks is Go's list of the types that have no names: there is none.
func typelinks() (sections []unsafe.Pointer, offsets [][]int32) { return nil, nil }
