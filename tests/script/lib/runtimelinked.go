// run
// SPDX-License-Identifier: MIT

// What modules take from package runtime by go:linkname.
package main

import (
	"fmt"
	"math"
	"unsafe"
)

//go:linkname typehash runtime.typehash
func typehash(t, p unsafe.Pointer, seed uintptr) uintptr

//go:linkname cputicks runtime.cputicks
func cputicks() int64

type key struct {
	name string
	any  any
	n    [2]int32
}

// hash is that of the value in an interface.
func hash(v any, seed uintptr) uintptr {
	words := *(*[2]unsafe.Pointer)(unsafe.Pointer(&v))
	return typehash(words[0], words[1], seed)
}

func unhashable(v any) (r any) {
	defer func() { r = recover() }()
	return hash(v, 1)
}

func main() {
	a, b := []byte("text"), []byte("text")
	fmt.Println(hash(string(a), 1) == hash(string(b), 1),
		hash("text", 1) == hash("text", 2), hash("text", 1) == hash("texu", 1))
	k := key{"k", 1.5, [2]int32{1, 2}}
	l := key{string([]byte{'k'}), 1.5, [2]int32{1, 2}}
	fmt.Println(hash(k, 7) == hash(l, 7))
	l.any = float32(1.5)
	fmt.Println(hash(k, 7) == hash(l, 7))
	fmt.Println(hash(0.0, 3) == hash(math.Copysign(0, -1), 3),
		hash(math.NaN(), 3) == hash(math.NaN(), 3))
	fmt.Println(unhashable(key{any: []int{1}}))
	before := cputicks()
	fmt.Println(cputicks() >= before)
}
