// run
// SPDX-License-Identifier: MIT

// Shifts by what a mask or a remainder keeps below the width, of all sizes and
// signs, and those that look like them but must look for more.
package main

import "fmt"

type small uint8

//go:noinline
func masked(x uint64, y int64, n int, u uint, b uint8, s int8) (r [18]uint64) {
	r[0] = x << (n & 63)
	r[1] = x >> (63 & n)
	r[2] = uint64(y >> (n & 63))
	r[3] = x << (u % 64)
	r[4] = x << uint(n&31)
	r[5] = x >> (uint(n) & 7)
	r[6] = uint64(uint32(x) << (b & 31))
	r[7] = uint64(uint32(x) >> (b & 31))
	r[8] = uint64(int32(y) >> (s & 31))
	r[9] = uint64(int32(y) << (s & 31))
	r[10] = uint64(uint8(x) << (n & 7))
	r[11] = uint64(uint16(x) << (small(n) & 63))
	r[12] = uint64(int8(y) >> (n & 63))
	r[13] = x << uint8(small(b)%64)
	r[14] = x << (u % 33)
	r[15] = x << (u & 64)  // by 64 at times
	r[16] = x << (u % 128) // by more than 63 at times
	r[17] = x>>(n&63) | x<<(-n&63)
	return r
}

//go:noinline
func assigned(x uint64, y int32, n int) (uint64, int32) {
	x <<= n & 63
	y >>= uint(n) % 32
	x >>= uint8(n) & 15
	return x, y
}

//go:noinline
func mayPanic(x uint64, n int) (r uint64) {
	defer func() {
		if e := recover(); e != nil {
			r = 12345
		}
	}()
	return x << (n % 64) // negative for negative n
}

//go:noinline
func bits(n int) (count int) {
	s := make([]uint64, n/64+1)
	for i := 2; i < n; i++ {
		if s[i>>6]>>(i&63)&1 == 0 {
			count++
			for j := i * 2; j < n; j += i {
				s[j>>6] |= 1 << (j & 63)
			}
		}
	}
	return count
}

func main() {
	h := uint64(0)
	for round := range 3 {
		for n := -70; n < 140; n++ {
			x := uint64(n)*0x9e3779b97f4a7c15 ^ 0x8000000000000001
			r := masked(x, int64(x), n, uint(n), uint8(n), int8(n))
			for _, v := range r {
				h = h*31 + v
			}
			a, b := assigned(x, int32(x), n)
			h = h*31 + a + uint64(b) + mayPanic(x, n)
			if round == 0 && n%35 == 0 {
				fmt.Println(n, r[:6], r[12:])
			}
		}
		fmt.Println(h, bits(10000))
	}
}
