// run
// SPDX-License-Identifier: MIT

// Package unsafe: sizes, offsets, conversions of pointers, strings, slices.
package main

import (
	"fmt"
	"unsafe"
)

type S struct {
	a bool
	b int64
	c uint16
	d string
	e []int
	f interface{}
	g [3]byte
	h func()
}
type header struct {
	data unsafe.Pointer
	len  int
}

const size = unsafe.Sizeof(S{})

func main() {
	var s S
	fmt.Println(unsafe.Sizeof(s.a), unsafe.Sizeof(s.b), unsafe.Sizeof(s.c), unsafe.Sizeof(s.d), unsafe.Sizeof(s.e), unsafe.Sizeof(s.f), unsafe.Sizeof(s.g), unsafe.Sizeof(s.h), size)
	fmt.Println(unsafe.Offsetof(s.a), unsafe.Offsetof(s.b), unsafe.Offsetof(s.c), unsafe.Offsetof(s.d), unsafe.Offsetof(s.e), unsafe.Offsetof(s.f), unsafe.Offsetof(s.g), unsafe.Offsetof(s.h))
	fmt.Println(unsafe.Alignof(s), unsafe.Alignof(s.a), unsafe.Alignof(s.c), unsafe.Alignof(s.g), unsafe.Alignof(int32(0)))
	fmt.Println(unsafe.Sizeof(0), unsafe.Sizeof(int8(0)), unsafe.Sizeof(1i), unsafe.Sizeof(struct{}{}), unsafe.Sizeof([5]int16{}), unsafe.Sizeof(map[int]int{}), unsafe.Sizeof(uintptr(0)))
	var arr [unsafe.Sizeof(int32(0))]byte
	fmt.Println(len(arr))

	f := 1.5
	bits := *(*uint64)(unsafe.Pointer(&f))
	fmt.Printf("%#x\n", bits)
	bits |= 1 << 63
	fmt.Println(*(*float64)(unsafe.Pointer(&bits)))

	xs := [4]int32{10, 20, 30, 40}
	p := unsafe.Pointer(&xs[0])
	second := (*int32)(unsafe.Pointer(uintptr(p) + unsafe.Sizeof(xs[0])))
	third := (*int32)(unsafe.Add(p, 8))
	*second = 21
	*third++
	fmt.Println(xs)
	sl := unsafe.Slice(&xs[1], 3)
	sl[2] = 99
	fmt.Println(sl, len(sl), cap(sl), xs)
	str := "hello"
	h := (*header)(unsafe.Pointer(&str))
	fmt.Println(h.len, *(*byte)(h.data), unsafe.StringData(str) == (*byte)(h.data))
	b := []byte("bytes")
	v := unsafe.String(&b[0], 3)
	b[0] = 'B'
	fmt.Println(v, unsafe.SliceData(b) == &b[0])
	s.c = 0x1234
	pc := (*uint16)(unsafe.Pointer(uintptr(unsafe.Pointer(&s)) + unsafe.Offsetof(s.c)))
	*pc += 1
	fmt.Printf("%#x\n", s.c)
	s.g = [3]byte{1, 2, 3}
	pg := (*byte)(unsafe.Add(unsafe.Pointer(&s), unsafe.Offsetof(s.g)+2))
	fmt.Println(*pg)
	var np unsafe.Pointer
	fmt.Println(np == nil, uintptr(np), unsafe.Slice((*int)(nil), 0) == nil)
	type pair struct{ x, y int32 }
	q := pair{1, 2}
	u := *(*uint64)(unsafe.Pointer(&q))
	fmt.Printf("%#x\n", u)
	a2 := *(*[2]int32)(unsafe.Pointer(&q))
	fmt.Println(a2)
	n := int64(-2)
	fmt.Println(*(*uint64)(unsafe.Pointer(&n)), *(*[2]uint32)(unsafe.Pointer(&n)))
	func() {
		defer func() { fmt.Println(recover()) }()
		k := -1
		_ = unsafe.Slice(&xs[0], k)
	}()
}
