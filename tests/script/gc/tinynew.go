// run

// Objects of eight bytes without pointers, two of which share a block: each has
// its own bytes, zero at first, beside smaller ones, over collections.
package main

import (
	"fmt"
	"runtime"
)

var ints []*int
var floats []*float64
var small []*[3]byte
var bytes []*byte
var kept []*uint64

//go:noinline
func fresh() (a, b *int) { return new(int), new(int) }

//go:noinline
func three() *[3]byte { return new([3]byte) }

func fill(n int) (bad int) {
	for i := range n {
		a, b := fresh()
		if *a != 0 || *b != 0 {
			bad++
		}
		*a, *b = i, -i
		ints = append(ints, a, b)
		f := new(float64)
		bad += int(*f)
		*f = float64(i) / 2
		floats = append(floats, f)
		if i%3 == 0 {
			t := three()
			bad += int(t[0]) + int(t[1]) + int(t[2])
			*t = [3]byte{byte(i), 255, 255}
			small = append(small, t)
		}
		if i%5 == 0 {
			c := new(byte)
			bad += int(*c)
			*c = 255
			bytes = append(bytes, c)
		}
		// One of a pair outlives the other.
		x, y := new(uint64), new(uint64)
		bad += int(*x + *y)
		*x, *y = uint64(i), 1<<64-1
		if i%16 == 0 {
			kept = append(kept, x)
		}
		if i%700 == 699 {
			runtime.GC()
		}
	}
	return bad
}

func check() (bad int) {
	for i := range ints {
		want := i / 2
		if i%2 == 1 {
			want = -want
		}
		if *ints[i] != want {
			bad++
		}
	}
	for i, f := range floats {
		if *f != float64(i)/2 {
			bad++
		}
	}
	for i, t := range small {
		if *t != [3]byte{byte(3 * i), 255, 255} {
			bad++
		}
	}
	for _, c := range bytes {
		if *c != 255 {
			bad++
		}
	}
	for i, x := range kept {
		if *x != uint64(16*i) {
			bad++
		}
	}
	return bad
}

func main() {
	for range 3 {
		ints, floats, small, bytes, kept = nil, nil, nil, nil, nil
		bad := fill(5000)
		runtime.GC()
		fmt.Println(bad, check(), len(ints), len(floats), len(small), len(bytes), len(kept))
	}
}
