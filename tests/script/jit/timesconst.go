// run

// Products with constants for which there are shorter ways.
package main

import "fmt"

//go:noinline
func all(x int) (s [20]int) {
	s[0] = x * 0
	s[1] = x * 1
	s[2] = x * 2
	s[3] = x * 3
	s[4] = x * 4
	s[5] = x * 5
	s[6] = x * 6
	s[7] = x * 7
	s[8] = x * 8
	s[9] = x * 9
	s[10] = x * 10
	s[11] = x * 16
	s[12] = x * 16384
	s[13] = x * -1
	s[14] = x * -2
	s[15] = x * -8
	s[16] = x * 32767
	s[17] = x * -32768
	s[18] = x * (1 << 30)
	s[19] = x * (1<<31 - 1)
	return s
}

// The product takes the place of what it is of.
//
//go:noinline
func itself(x int) int {
	s := 0
	for range 5 {
		x *= 3
		s ^= x
		x *= 2
		s ^= x
		x *= 9
		s ^= x
		x *= 64
		s ^= x
		x *= 5
		s ^= x
	}
	return s
}

//go:noinline
func narrow(x int32, y uint16, z int8, u uint32) (s int) {
	for range 3 {
		x *= 3
		y *= 8
		z *= 5
		u *= 9
		s += int(x) + int(y)*3 + int(z)*7 + int(u)
	}
	return s
}

//go:noinline
func rests(x int, u uint) (s int) {
	s += x%3 + x%5*3 + x%9*7 + x%8*11 + x%6*13 + x%-3*17 + x%-9*19
	s += int(u%3) + int(u%5)*3 + int(u%9)*7 + int(u%8)*11 + int(u%6)*13
	return s
}

func main() {
	for _, x := range []int{0, 1, -1, 2, 7, -9, 12345, 1 << 31, -1 << 31,
		1 << 61, -1 << 62, -1 << 63, 1<<63 - 1} {
		fmt.Println(all(x), itself(x), rests(x, uint(x)))
		fmt.Println(narrow(int32(x), uint16(x), int8(x), uint32(x)))
	}
}
