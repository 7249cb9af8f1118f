// run
// SPDX-License-Identifier: MIT

// Numbers in composite literals, plain and otherwise, at the ends of their
// types.
package main

import "fmt"

type small int8
type word uint16
type pair struct {
	a uint8
	b word
	c float64
	d any
}

var (
	i8   = []int8{0, 127, 0x7f, 0X7F, -128, 0b11, 0o17, 017, 1_0}
	u8   = [...]uint8{0, 255, 0xff, 'a', 1 << 3}
	i16  = []int16{32767, 0x7fff, 0x7FFF}
	u16  = []word{65535, 0xFFFF, 3: 7, 0x5: 9, 010: 11, 1 + 1: 5}
	i32  = []rune{2147483647, 0x7fffffff, 'x'}
	u32  = []uint32{4294967295, 0xFFFFFFFF}
	i64  = []int64{9223372036854775807, 0x7fffffffffffffff, 999999999999999}
	u64  = []uint64{18446744073709551615, 0xffffffffffffffff, 0xfffffffffffffff}
	ints = [4]int{1, 2, 3}
	ptrs = []uintptr{0xdeadbeef}
	f    = []float64{0, 1, 0x10, 2.5, 1e3}
	c    = []complex128{0, 1, 2i}
	any1 = []any{0, 1, 0x10, 'c', 2.5}
	t    = []small{127, 1}
	p    = []pair{{255, 0xffff, 1, 1}, {0x10, 1, 2.5, 'x'}, {b: 3}}
	m    = map[uint8]int8{255: 127, 0x1: 1}
	nest = [][]uint8{{1, 2}, {0x3}}
	key  = [...]string{2: "two", 0x4: "four"}
)

func table[T ~uint8 | ~uint16]() []T { return []T{0, 1, 255, 0x10} }

func floats[T ~float32 | ~int8]() []T { return []T{0, 1, 100} }

func main() {
	fmt.Println(i8, u8, i16, u16, i32, u32, i64, u64, ints, ptrs)
	fmt.Println(f, c, t, p, m, nest, len(key))
	for _, v := range any1 {
		fmt.Printf("%T %v ", v, v)
	}
	fmt.Printf("%T %T %T\n", u16[0], t[0], p[0].d)
	fmt.Println(table[uint8](), table[word](), floats[float32](), floats[small]())
}
