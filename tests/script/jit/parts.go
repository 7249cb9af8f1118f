// run
// SPDX-License-Identifier: MIT

// Fields that share a word, read and written where the word is in a register:
// of every size, at every place, of a constant, a variable and a float, in a
// function that is spliced into another, and with the word kept in memory
// because a closure or a call wants it there.
package main

import "fmt"

type small struct {
	a int8
	b uint8
	c int16
	d int32
	e uint16
	f bool
	g int8
	h float32
	i uint32
	j float32
}

type bytes struct{ b [8]uint8 }

type mixed struct {
	n   int
	lo  int32
	hi  uint32
	s   string
	ok  bool
	few [3]int16
}

func (s small) sum() int {
	n := int(s.a) + int(s.b) + int(s.c) + int(s.d) + int(s.e) + int(s.g) + int(s.i)
	if s.f {
		n++
	}
	return n + int(s.h*4) + int(s.j*8)
}

func (s small) with(n int) small {
	s.a = int8(n)
	s.c -= int16(n)
	s.e ^= uint16(n)
	s.g++
	s.i = uint32(n) << 20
	s.j = s.h + float32(n)
	return s
}

func swap(m mixed) mixed {
	m.lo, m.hi = int32(m.hi), uint32(m.lo)
	m.ok = !m.ok
	m.few[1], m.few[2] = m.few[2], -m.few[1]
	return m
}

func loop(n int) (small, int) {
	s := small{a: -1, b: 2, c: -3, d: -4, e: 5, f: true, g: -7, h: 1.5, i: 9, j: -.25}
	total := 0
	for k := range n {
		s.a += int8(k)
		s.b -= uint8(k)
		s.c = s.c*3 + int16(k)
		s.d ^= int32(k << 9)
		s.e += uint16(s.b)
		s.f = s.a > s.g
		s.g = -s.g + 1
		s.h = s.h/2 + float32(k&3)
		s.i = s.i<<1 | uint32(k)&1
		s.j -= s.h
		total += s.sum()
		s = s.with(k)
	}
	return s, total
}

func constants(n int) (s small, out []small) {
	for k := range n {
		s.a, s.b, s.c, s.d = -128, 255, -32768, -2147483648
		if k%3 == 0 {
			s.e, s.f, s.g, s.h = 65535, true, 127, -0.5
		} else {
			s.f, s.i = false, 4294967295
		}
		s.j = 1e20
		out = append(out, s)
		s.b = 0
		s.d = 1
	}
	return
}

// The word is in a register here and in memory there.
func both(n int, f func(*small)) small {
	var kept, s small
	for k := range n {
		s.d += int32(k)
		s.c--
		if k%10 == 9 {
			kept = s
			f(&kept)
			s = kept
		}
		if k%7 == 6 {
			func() {
				defer func() { recover() }()
				s.e = uint16(10 / (k - 6))
			}()
		}
	}
	return s
}

func parts(x uint64) (b bytes) {
	b.b[0], b.b[1], b.b[2], b.b[3] = byte(x), byte(x>>8), byte(x>>16), byte(x>>24)
	b.b[4], b.b[5], b.b[6], b.b[7] = byte(x>>32), byte(x>>40), byte(x>>48), byte(x>>56)
	return
}

func whole(b bytes) uint64 {
	return uint64(b.b[7])<<56 | uint64(b.b[6])<<48 | uint64(b.b[5])<<40 | uint64(b.b[4])<<32 |
		uint64(b.b[3])<<24 | uint64(b.b[2])<<16 | uint64(b.b[1])<<8 | uint64(b.b[0])
}

func main() {
	fmt.Println(loop(1))
	fmt.Println(loop(5000))
	s, out := constants(2000)
	fmt.Println(s, out[0], out[1], out[1999])
	fmt.Println(both(1000, func(s *small) { s.g++; s.i = s.i*3 + 1; s.d >>= 1 }))
	m := mixed{n: -1, lo: -5, hi: 7, s: "s", few: [3]int16{1, -2, 3}}
	for range 1001 {
		m = swap(m)
		m.n += int(m.lo) + int(m.few[1])
	}
	fmt.Println(m)
	x, bad := uint64(88172645463325252), 0
	for range 3000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		if whole(parts(x)) != x {
			bad++
		}
	}
	fmt.Println(x, bad)
	l := make([]mixed, 50)
	for r := range 300 {
		for i, p := range l {
			p.lo += int32(i * r)
			p.hi -= uint32(p.lo)
			p.few[i%3]++
			l[i] = p
		}
	}
	fmt.Println(l[0], l[49])
}
