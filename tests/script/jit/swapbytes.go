// run

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// Bytes that are turned round: of values in registers of both kinds and in
// memory, that live on or do not, and of which only a half counts.

func whole(x uint64) (uint64, uint64) {
	y := bits.ReverseBytes64(x)
	return y, x ^ uint64(bits.ReverseBytes(uint(y)))
}

func half(x uint64) (uint64, int64, uint64) {
	y := bits.ReverseBytes32(uint32(x))
	return uint64(y), int64(int32(y)), x>>1 + uint64(bits.ReverseBytes32(y))
}

func float(f float64) (float64, float64) {
	return math.Float64frombits(bits.ReverseBytes64(math.Float64bits(f))),
		f + math.Float64frombits(bits.ReverseBytes64(bits.ReverseBytes64(math.Float64bits(f))))
}

func single(f float32) float32 {
	return math.Float32frombits(bits.ReverseBytes32(bits.ReverseBytes32(math.Float32bits(f)))) / 2
}

// More is live than there are registers.
func many(a, b, c, d, e, f, g, h, i, j, k, l uint64) uint64 {
	for range 3 {
		a, b, c = bits.ReverseBytes64(b), bits.ReverseBytes64(c), uint64(bits.ReverseBytes32(uint32(a)))
		d, e, f = bits.ReverseBytes64(e)^a, bits.ReverseBytes64(f)+b, bits.ReverseBytes64(d)-c
		g, h, i = h+uint64(bits.ReverseBytes32(uint32(g))), i^d, bits.ReverseBytes64(g+h)
		j, k, l = bits.ReverseBytes64(k), l*3, j+i
	}
	bits.ReverseBytes64(a)
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l
}

func orders(b []byte) (n uint64) {
	for i := 0; i+8 <= len(b); i++ {
		n = n*31 + binary.BigEndian.Uint64(b[i:])
		n ^= uint64(binary.BigEndian.Uint32(b[i:])) << (i & 31)
		n += uint64(binary.BigEndian.Uint16(b[i+3:]))
		binary.BigEndian.PutUint64(b[i:], n)
		binary.BigEndian.PutUint32(b[i+2:], uint32(n>>16))
		binary.BigEndian.PutUint16(b[i+6:], uint16(n>>24))
	}
	return n
}

func short(b []byte, n int) (r any) {
	defer func() { r = recover() }()
	switch n {
	case 0:
		return binary.BigEndian.Uint64(b)
	case 1:
		return binary.BigEndian.Uint32(b)
	case 2:
		binary.BigEndian.PutUint64(b, 1)
	case 3:
		binary.BigEndian.PutUint32(b, 1)
	}
	return len(b)
}

func main() {
	x := uint64(0x0123456789abcdef)
	b := make([]byte, 40)
	for i := range 2000 {
		whole(x)
		half(x)
		float(float64(i))
		single(float32(i))
		many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, x)
		orders(b)
	}
	for _, y := range []uint64{0, 1, x, ^x, 1 << 63, 0x80, 0xff00000000, 0x8000} {
		fmt.Println(whole(y))
		fmt.Println(half(y))
		fmt.Println(many(y, y+1, y*3, ^y, y>>3, y<<5, x, x^y, 5, y-x, 77, 1))
	}
	for _, f := range []float64{0, 1, -2.5, 1e300, math.Pi} {
		fmt.Println(float(f))
		fmt.Println(single(float32(f)))
	}
	fmt.Println(orders(b), b)
	for n := range 4 {
		fmt.Println(short(b[:7], n), short(b[:3], n), short(nil, n))
	}
}
