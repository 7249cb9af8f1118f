// run
// SPDX-License-Identifier: MIT

// Package reflect: what modules take from it by go:linkname.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"unsafe"
)

//go:linkname unsafe_New reflect.unsafe_New
func unsafe_New(t unsafe.Pointer) unsafe.Pointer

//go:linkname unsafe_NewArray reflect.unsafe_NewArray
func unsafe_NewArray(t unsafe.Pointer, n int) unsafe.Pointer

//go:linkname typedmemmove reflect.typedmemmove
func typedmemmove(t, dst, src unsafe.Pointer)

type slice struct {
	data     unsafe.Pointer
	len, cap int
}

//go:linkname typedslicecopy reflect.typedslicecopy
func typedslicecopy(t unsafe.Pointer, dst, src slice) int

//go:linkname makemap reflect.makemap
func makemap(t unsafe.Pointer, n int) unsafe.Pointer

//go:linkname maplen reflect.maplen
func maplen(m unsafe.Pointer) int

//go:linkname mapassign reflect.mapassign
func mapassign(t, m, key, elem unsafe.Pointer)

//go:linkname mapaccess reflect.mapaccess
func mapaccess(t, m, key unsafe.Pointer) unsafe.Pointer

//go:linkname mapdelete reflect.mapdelete
func mapdelete(t, m, key unsafe.Pointer)

type iter struct {
	key, elem unsafe.Pointer
	rest      [10]unsafe.Pointer
}

//go:linkname mapiterinit reflect.mapiterinit
func mapiterinit(t, m unsafe.Pointer, it *iter)

//go:linkname mapiternext reflect.mapiternext
func mapiternext(it *iter)

// As gonum.org/v1/gonum has it: from two packages.

//go:linkname begin runtime.mapiterinit
func begin(t, m unsafe.Pointer, it *iter)

//go:linkname keyOf reflect.mapiterkey
func keyOf(it *iter) unsafe.Pointer

//go:linkname elemOf reflect.mapiterelem
func elemOf(it *iter) unsafe.Pointer

//go:linkname forward runtime.mapiternext
func forward(it *iter)

//go:linkname ifaceE2I reflect.ifaceE2I
func ifaceE2I(t unsafe.Pointer, x any, dst unsafe.Pointer)

// word is the pointer in a Type.
func word(x any) unsafe.Pointer {
	t := reflect.TypeOf(x)
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1]
}

func entries(t, m unsafe.Pointer) (all []string) {
	var it iter
	for mapiterinit(t, m, &it); it.key != nil; mapiternext(&it) {
		all = append(all, fmt.Sprint(*(*string)(it.key), *(*int)(it.elem)))
	}
	sort.Strings(all)
	n := 0
	for begin(t, m, &it); keyOf(&it) != nil; forward(&it) {
		if *(*int)(elemOf(&it)) != 0 {
			n++
		}
	}
	return append(all, fmt.Sprint(n))
}

func main() {
	p := (*string)(unsafe_New(word("")))
	s := "text"
	typedmemmove(word(""), unsafe.Pointer(p), unsafe.Pointer(&s))
	a := (*[4]string)(unsafe_NewArray(word(""), 4))
	copy(a[:], []string{"a", "b", "c", "d"})
	at := func(i, n int) slice { return slice{unsafe.Pointer(&a[i]), n, n} }
	fmt.Println(*p, typedslicecopy(word(""), at(1, 3), at(0, 4)), *a)
	fmt.Println(typedslicecopy(word(""), at(0, 2), at(2, 2)), *a)

	t := word(map[string]int{})
	m := makemap(t, 3)
	for i, key := range []string{"one", "two", "three"} {
		i++
		mapassign(t, m, unsafe.Pointer(&key), unsafe.Pointer(&i))
	}
	key := "two"
	fmt.Println(maplen(m), *(*int)(mapaccess(t, m, unsafe.Pointer(&key))), entries(t, m))
	mapdelete(t, m, unsafe.Pointer(&key))
	fmt.Println(maplen(m), mapaccess(t, m, unsafe.Pointer(&key)) == nil, entries(t, m), entries(t, nil))

	var w fmt.Stringer
	e := reflect.TypeOf(&w).Elem()
	ifaceE2I((*[2]unsafe.Pointer)(unsafe.Pointer(&e))[1], reflect.Chan, unsafe.Pointer(&w))
	fmt.Println(w)
}
