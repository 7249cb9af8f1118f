// run
// SPDX-License-Identifier: MIT

// Structs and arrays whose size is no number of whole words: loaded, stored
// and compared, with what lies beside them in memory left alone, through nil,
// and where a pointer is overwritten by what it points to.
package main

import "fmt"

type rgb struct{ r, g, b uint8 }

type mixed struct {
	a uint16
	b [3]int8
	c bool
}

type wide struct {
	a    int64
	b, c uint16
	d    uint16
}

type odd struct {
	a, b, c int16
	d, e, f int16
	g       int16
}

// Loads from the middle of a slice, compares, and stores elsewhere.
func shuffle[T comparable](x []T) (same int) {
	for i := range x {
		j := (i*5 + 3) % len(x)
		v, u := x[i], x[j]
		if v == u {
			same++
		}
		if v != u {
			same += 100
		}
		x[i], x[j] = u, v
	}
	return same
}

func copies[T comparable](p, q *T, n int) (eq bool) {
	for range n {
		t := *p
		*p = *q
		*q = t
		eq = *p == *q || t == *q
	}
	return eq
}

func at[T comparable](p *T, x T) (v T, err any) {
	defer func() { err = recover() }()
	v = x
	v = *p
	return v, nil
}

func put[T comparable](p *T, x T) (err any) {
	defer func() { err = recover() }()
	*p = x
	return nil
}

func hash(b []byte) (h uint32) {
	for _, c := range b {
		h = h*16777619 ^ uint32(c)
	}
	return h
}

func try[T comparable](name string, make func(i int) T) {
	x := []T{}
	for i := range 37 {
		x = append(x, make(i%11))
	}
	n := 0
	for range 60 {
		n += shuffle(x)
	}
	eq := copies(&x[3], &x[20], 51)
	_, err := at(nil, x[0])
	fmt.Println(name, n, eq, err != nil, put(nil, x[1]) != nil, hash(fmt.Append(nil, x)))
}

func bytes1(i int) (v [1]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[0] ^= uint8(i >> 1)
	return v
}

func bytes2(i int) (v [2]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[1] ^= uint8(i >> 1)
	return v
}

func bytes3(i int) (v [3]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[2] ^= uint8(i >> 1)
	return v
}

func bytes4(i int) (v [4]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[3] ^= uint8(i >> 1)
	return v
}

func bytes5(i int) (v [5]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[4] ^= uint8(i >> 1)
	return v
}

func bytes6(i int) (v [6]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[5] ^= uint8(i >> 1)
	return v
}

func bytes7(i int) (v [7]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[6] ^= uint8(i >> 1)
	return v
}

func bytes9(i int) (v [9]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[8] ^= uint8(i >> 1)
	return v
}

func bytes11(i int) (v [11]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[10] ^= uint8(i >> 1)
	return v
}

func bytes12(i int) (v [12]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[11] ^= uint8(i >> 1)
	return v
}

func bytes14(i int) (v [14]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[13] ^= uint8(i >> 1)
	return v
}

func bytes15(i int) (v [15]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[14] ^= uint8(i >> 1)
	return v
}

func bytes17(i int) (v [17]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[16] ^= uint8(i >> 1)
	return v
}

func bytes23(i int) (v [23]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[22] ^= uint8(i >> 1)
	return v
}

func bytes29(i int) (v [29]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[28] ^= uint8(i >> 1)
	return v
}

func bytes31(i int) (v [31]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[30] ^= uint8(i >> 1)
	return v
}

func bytes33(i int) (v [33]uint8) {
	for k := range v {
		v[k] = uint8(i*31 + k*k)
	}
	v[32] ^= uint8(i >> 1)
	return v
}

// The last byte decides.
func lastByte(i int) (v [7]uint8) {
	v[6] = uint8(i & 1)
	return v
}

// What lies around the elements: every other byte is never written.
func around() {
	var mem [32]struct {
		before uint8
		v      rgb
		after  uint8
	}
	for i := range mem {
		mem[i].before, mem[i].after = 0xaa, 0x55
	}
	x := rgb{1, 2, 3}
	for n := range 500 {
		p := &mem[n%32]
		p.v = x
		x = mem[(n*7)%32].v
		x.g += uint8(n)
		x.b ^= x.r
		x.r++
	}
	bad := 0
	for i := range mem {
		if mem[i].before != 0xaa || mem[i].after != 0x55 {
			bad++
		}
	}
	fmt.Println("around", bad, x, mem[5], mem[31])
}

type node struct {
	next *node
	c    rgb
	d    rgb
}

func chain() {
	var list *node
	for i := range 50 {
		list = &node{list, rgb{uint8(i), 2, uint8(i * i)}, rgb{uint8(i), 2, 9}}
	}
	n, sum := 0, rgb{}
	for range 40 {
		for p := list; p != nil; p = p.next {
			if p.c == p.d {
				n++
			}
			sum.r += p.c.r
			sum.g ^= p.d.b
			sum.b -= p.c.b
			p.d.r, p.c.g = p.d.r+1, p.c.b
		}
	}
	fmt.Println("chain", n, sum, list.next.c, list.next.d)
}

type three struct{ a, b, c uint32 }

type five struct{ a, b, c, d, e uint32 }

//go:noinline
func sum3(p *three) uint32 {
	v := *p
	return v.a + v.b*3 + v.c*5
}

//go:noinline
func sum5(p *five) uint32 {
	v := *p
	return v.a + v.b*3 + v.c*5 + v.d*7 + v.e*11
}

// The pointer is needed no more once the value is loaded, so that a word of it
// may come into the pointer's register before the rest is loaded.
func lastUses() (sum uint32) {
	t := []*three{{1, 2, 3}, {4, 5, 6}}
	f := []*five{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}
	for range 3000 {
		for i := range t {
			sum += sum3(t[i]) + sum5(f[i])
			v, w := *t[i], *f[i]
			sum ^= v.a + v.b + v.c + w.a + w.c + w.e
		}
	}
	return sum
}

func main() {
	try("1 bytes", bytes1)
	try("2 bytes", bytes2)
	try("3 bytes", bytes3)
	try("4 bytes", bytes4)
	try("5 bytes", bytes5)
	try("6 bytes", bytes6)
	try("7 bytes", bytes7)
	try("9 bytes", bytes9)
	try("11 bytes", bytes11)
	try("12 bytes", bytes12)
	try("14 bytes", bytes14)
	try("15 bytes", bytes15)
	try("17 bytes", bytes17)
	try("23 bytes", bytes23)
	try("29 bytes", bytes29)
	try("31 bytes", bytes31)
	try("33 bytes", bytes33)
	try("last byte", lastByte)
	try("rgb", func(i int) rgb { return rgb{uint8(i), uint8(i * i), 7} })
	try("mixed", func(i int) mixed { return mixed{uint16(i), [3]int8{1, int8(-i), 3}, i&1 == 0} })
	try("wide", func(i int) wide { return wide{int64(-i), 1, 2, uint16(i)} })
	try("odd", func(i int) odd { return odd{1, 2, 3, 4, 5, 6, int16(-i)} })
	around()
	chain()
	fmt.Println("last uses:", lastUses())
}
