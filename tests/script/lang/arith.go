// run
// SPDX-License-Identifier: MIT

// Integer arithmetic wraps around at every width, division truncates, and
// shifts follow the left operand's type.
package main

import "fmt"

func main() {
	var i8 int8 = 127
	i8++
	var u8 uint8 = 0
	u8--
	var i16 int16 = -32768
	i16--
	var u16 uint16 = 65535
	u16 += 2
	var i32 int32 = 1 << 30
	i32 *= 2
	var u32 uint32 = 1 << 31
	u32 <<= 1
	var i64 int64 = 1<<63 - 1
	i64++
	var u64 uint64
	u64--
	fmt.Println(i8, u8, i16, u16, i32, u32, i64, u64)

	for _, a := range []int{7, -7} {
		for _, b := range []int{2, -2, 3, -3, 1, -1} {
			fmt.Println(a, b, a/b, a%b, a/b*b+a%b == a)
		}
	}
	min8 := int8(-128)
	m1 := int8(-1)
	fmt.Println(min8/m1, min8%m1, -min8)
	min64 := int64(-1 << 63)
	m64 := int64(-1)
	fmt.Println(min64/m64, min64%m64, -min64)

	var s uint = 70
	one := 1
	neg := -8
	fmt.Println(one<<s, neg>>s, one<<63, uint8(one)<<7, uint8(one+199)<<1, int8(-128)>>3)
	fmt.Println(uint32(1)<<31>>31, int32(-1)>>31, uint16(0xffff)>>4, neg>>1)

	a, b := 0b1100, 0b1010
	fmt.Println(a&b, a|b, a^b, a&^b, ^a, -a, +a)
	a &^= 4
	a |= 1
	a ^= 0xff
	a <<= 2
	a >>= 1
	a %= 100
	fmt.Println(a)

	var h uint32 = 2166136261
	for _, c := range []byte("the quick brown fox") {
		h ^= uint32(c)
		h *= 16777619
	}
	fmt.Printf("%#x\n", h)

	var x uint64 = 88172645463325252
	for i := 0; i < 5; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		fmt.Println(x, int32(x), uint8(x), int16(x>>3))
	}

	f := 0.1
	f += 0.2
	fmt.Println(f, float32(f), f*3 == 0.9, 1/f)
	var z float64
	fmt.Println(1/z, -1/z, z/z == z/z, -z, 5.0/3)
	big := 1e300
	fmt.Println(big*big, -big*big, float32(big)*0.5)
	var f32 float32 = 16777216
	fmt.Println(f32+1 == f32, f32+2)
}
