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

//go:linkname memclr runtime.memclrNoHeapPointers
func memclr(p unsafe.Pointer, n uintptr)

//go:linkname memmove runtime.memmove
func memmove(to, from unsafe.Pointer, n uintptr)

//go:linkname memequal runtime.memequal
func memequal(p, q unsafe.Pointer, n uintptr) bool

//go:linkname strhash runtime.strhash
func strhash(p unsafe.Pointer, seed uintptr) uintptr

//go:linkname cheaprand runtime.cheaprand
func cheaprand() uint32

//go:linkname mallocgc runtime.mallocgc
func mallocgc(size uintptr, typ unsafe.Pointer, needzero bool) unsafe.Pointer

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
	memory()
}

func memory() {
	b := []byte("0123456789")
	p := unsafe.Pointer(&b[0])
	memmove(unsafe.Pointer(&b[1]), p, 5)
	fmt.Printf("%s\n", b)
	memmove(p, unsafe.Pointer(&b[2]), 4)
	memclr(unsafe.Pointer(&b[8]), 2)
	memclr(nil, 0)
	fmt.Printf("%q\n", b)
	fmt.Println(memequal(p, unsafe.Pointer(&b[2]), 1), memequal(p, unsafe.Pointer(&b[4]), 1), memequal(p, p, 10))
	s, t := "text", string([]byte("text"))
	fmt.Println(strhash(unsafe.Pointer(&s), 1) == strhash(unsafe.Pointer(&t), 1),
		strhash(unsafe.Pointer(&s), 1) == strhash(unsafe.Pointer(&s), 2))
	differ := false
	for i := 0; i < 10; i++ {
		differ = differ || cheaprand() != cheaprand()
	}
	m := unsafe.Slice((*byte)(mallocgc(100, nil, true)), 100)
	m[99] = 7
	fmt.Println(differ, m[0], m[99])
}
