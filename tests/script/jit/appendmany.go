// run
// SPDX-License-Identifier: MIT

// Several values appended at once, with and without room for them, where the
// slice itself gets longer and where another one does.
package main

import (
	"encoding/binary"
	"fmt"
)

type point struct{ x, y, z int }
type pair struct {
	a, b byte
}

//go:noinline
func bytes(b []byte, v uint32) []byte {
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

//go:noinline
func ints(s []int, v int) []int { return append(s, v, v+1, v+2) }

//go:noinline
func strs(s []string, v string) []string { return append(s, v, v+"x") }

//go:noinline
func points(s []point, v int) []point {
	return append(s, point{v, 1, 2}, point{3, v, 4})
}

//go:noinline
func pointers(s []*int, v *int) []*int { return append(s, v, nil, v) }

//go:noinline
func pairs(s []pair, v byte) []pair { return append(s, pair{v, 1}, pair{2, v}) }

//go:noinline
func apart(s []int, v int) (old, more []int) {
	more = append(s, v, v, v)
	return s, more
}

//go:noinline
func inPlace(n int) (sum int) {
	var s []int
	for i := range n {
		s = append(s[:i/2], i, i+1)
		sum += len(s) + s[len(s)-2]
	}
	return sum
}

func sum[T comparable](s []T, x T) (n int) {
	for i, v := range s {
		if v == x {
			n += i + 1
		}
	}
	return n
}

func main() {
	for round := range 3 {
		var b []byte
		var n []int
		var s []string
		var p []point
		var q []*int
		var r []pair
		v := new(int)
		for i := range 300 {
			b = bytes(b, uint32(i)*0x01020304)
			n = ints(n, i%7)
			s = strs(s, fmt.Sprint(i%5))
			p = points(p, i%3)
			q = pointers(q, v)
			r = pairs(r, byte(i))
			if len(b) != 4*i+4 || len(n) != 3*i+3 || len(s) != 2*i+2 ||
				len(p) != 2*i+2 || len(q) != 3*i+3 || len(r) != 2*i+2 {
				panic("length")
			}
		}
		h := uint32(0)
		for _, c := range b {
			h = h*31 + uint32(c)
		}
		fmt.Println(round, h, sum(n, 3), sum(s, "4x"), sum(p, point{3, 1, 4}),
			sum(q, v), sum(r, pair{2, 9}), inPlace(500))
	}

	s := make([]int, 2, 5)
	old, more := apart(s, 7)
	fmt.Println(len(old), cap(old), more, &more[0] == &s[0])
	old, more = apart(more, 8)
	fmt.Println(len(old), more, &more[0] == &s[0])

	var d []byte
	for i := range uint64(9) {
		d = binary.LittleEndian.AppendUint64(d, i<<(7*i))
		d = binary.BigEndian.AppendUint32(d, uint32(i)<<24|0x55)
		d = binary.LittleEndian.AppendUint16(d, uint16(i)<<8|3)
	}
	fmt.Printf("%x\n", d)

	// All at once does not fit, though less would: nothing is written.
	short := make([]byte, 2, 4)
	whole := short[:4]
	_ = bytes(short, 0xffffffff)
	fmt.Println(whole)
}
