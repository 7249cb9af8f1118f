// run
// SPDX-License-Identifier: MIT

// Structs and arrays compared part by part: strings and floats in them,
// bytes between fields, of which nobody knows what they are, blank fields,
// parts of no size, and parts that are compared in ways of their own.
package main

import (
	"fmt"
	"math"
	"strings"
	"unsafe"
)

type padded struct {
	a, b int32
	c    uint16
}

type holes struct {
	a uint8
	b uint16
	c bool
	d uint32
	e int8
	f int64
}

type blank struct {
	a int16
	_ int16
	b uint8
	_ string
	c int32
}

type named struct {
	name string
	n    int
}

type person struct {
	first, last string
	age         uint8
	tags        [2]string
}

type empty struct {
	_ [0]string
	a int8
	b struct{}
	s string
	c [0]int
}

type nested struct {
	p [2]struct {
		c uint8
		s string
	}
	q padded
}

type many struct{ a, b, c, d, e string }

type float struct {
	n uint8
	f float64
	s string
}

type floats struct {
	a, b float32
	c    complex64
	d    complex128
	e    float64
}

type dynamic struct {
	n uint8
	x any
}

// How many are equal: variables, elements, what is behind pointers.
func count[T comparable](x []T, p *T) (n [4]int) {
	v := *p
	for i := range x {
		if x[i] == v {
			n[0]++
		}
		if x[i] != *p {
			n[1]++
		}
		w := x[(i*7+1)%len(x)]
		same := w == x[i]
		if same {
			n[2]++
		}
		if w == w {
			n[3]++
		}
	}
	return n
}

func try[T comparable](name string, make func(i int) T) {
	x := []T{}
	for i := range 60 {
		x = append(x, make(i))
	}
	for range 30 {
		count(x, &x[1])
	}
	fmt.Println(name, count(x, &x[0]), count(x, &x[7]), count(x[:0], &x[0]))
}

// What is between the fields of v becomes c.
func fill[T any](v T, used []uintptr, c uint8) T {
	b := unsafe.Slice((*uint8)(unsafe.Pointer(&v)), unsafe.Sizeof(v))
	for i := range b {
		free := true
		for k := 0; k < len(used); k += 2 {
			free = free && (uintptr(i) < used[k] || uintptr(i) >= used[k]+used[k+1])
		}
		if free {
			b[i] = c
		}
	}
	return v
}

func text(i int) string {
	switch i % 5 {
	case 0:
		return ""
	case 1:
		return "abc"
	case 2:
		return strings.Repeat("abc", 1)
	case 3:
		return "xabcx"[1:4]
	}
	return "abd"
}

func main() {
	var p padded
	var h holes
	atP := []uintptr{0, 4, 4, 4, unsafe.Offsetof(p.c), 2}
	atH := []uintptr{0, 1, unsafe.Offsetof(h.b), 2, unsafe.Offsetof(h.c), 1,
		unsafe.Offsetof(h.d), 4, unsafe.Offsetof(h.e), 1, unsafe.Offsetof(h.f), 8}
	for k := range 3 {
		try("padded", func(i int) padded {
			v := padded{1, 2, 3}
			switch k {
			case 0:
				v.a += int32(i & 1)
			case 1:
				v.b -= int32(i & 1)
			case 2:
				v.c ^= uint16(i&1) << 15
			}
			return fill(v, atP, uint8(i*5))
		})
	}
	for k := range 6 {
		try("holes", func(i int) holes {
			v := holes{1, 2, true, 4, 5, 6}
			n := i % 3 & 1
			switch k {
			case 0:
				v.a += uint8(n)
			case 1:
				v.b ^= uint16(n) << 15
			case 2:
				v.c = n == 0
			case 3:
				v.d ^= uint32(n) << 31
			case 4:
				v.e -= int8(n)
			case 5:
				v.f ^= int64(n) << 40
			}
			return fill(v, atH, uint8(i*7))
		})
	}
	try("blank", func(i int) blank {
		v := blank{a: 1, b: 2, c: int32(i & 2)}
		*(*int16)(unsafe.Add(unsafe.Pointer(&v), 2)) = int16(i)
		return v
	})
	try("named", func(i int) named { return named{text(i), i & 1} })
	for k := range 5 {
		try("person", func(i int) person {
			v := person{text(1), text(2), 30, [2]string{text(3), text(1)}}
			switch k {
			case 0:
				v.first = text(i)
			case 1:
				v.last = text(i)
			case 2:
				v.age += uint8(i & 1)
			default:
				v.tags[k-3] = text(i)
			}
			return v
		})
	}
	try("empty", func(i int) empty { return empty{a: int8(i & 1), s: text(i)} })
	try("nested", func(i int) (v nested) {
		v.p[1].s = text(i)
		v.p[1].c = uint8(i & 1)
		v.q.c = uint16(i & 2)
		return v
	})
	try("strings", func(i int) [3]string { return [3]string{"a", text(i), text(i + 1)} })
	try("many", func(i int) many { return many{e: text(i), a: text(1)} })
	try("float", func(i int) float {
		f := float64(i & 1)
		if i&2 != 0 {
			f = -f
		}
		return float{1, f / f * 0, text(i & 4)}
	})
	try("float32", func(i int) [3]float32 { return [3]float32{1, -0 * float32(i), 2} })
	for k := range 7 {
		try("floats", func(i int) floats {
			v := floats{1, 2, 3 + 4i, 5 + 6i, 7}
			f := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), 1, -1}[i%6]
			switch k {
			case 0:
				v.a = float32(f)
			case 1:
				v.b = float32(f)
			case 2:
				v.c = complex(float32(f), 4)
			case 3:
				v.c = complex(3, float32(f))
			case 4:
				v.d = complex(f, 6)
			case 5:
				v.d = complex(5, f)
			case 6:
				v.e = f
			}
			return v
		})
	}
	try("dynamic", func(i int) dynamic { return dynamic{1, text(i)} })
	defer func() { fmt.Println(recover()) }()
	try("panic", func(i int) dynamic { return dynamic{1, []int{i}} })
}
