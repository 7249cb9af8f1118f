// run

// Package unsafe may look at numbers where they are not aligned, and arrays of
// bytes lie anywhere in structs that other languages lay out.
package main

import (
	"fmt"
	"unsafe"
)

type address struct {
	family uint16
	port   uint16
	flow   uint32
	bytes  [16]byte
	scope  uint32
}

type pair struct{ a, b uint64 }

//go:noinline
func read(p *address) ([16]byte, uint32) { return p.bytes, p.scope }

//go:noinline
func write(p *address, b [16]byte) { p.bytes = b }

func main() {
	b := make([]byte, 128)
	for i := range b {
		b[i] = byte(i)
	}
	for _, off := range []int{0, 1, 3, 4, 7} {
		p := unsafe.Pointer(&b[off])
		a := (*address)(p)
		x, s := read(a)
		fmt.Println(off, x, s, *(*uint16)(p), *(*int32)(p), *(*uint64)(p), *(*pair)(p))
		words := unsafe.Slice((*uint64)(p), 3)
		pairs := unsafe.Slice((*pair)(p), 3)
		i := off % 3
		words[i] += 1
		pairs[2].b = words[i]
		fmt.Println(words[i], pairs[i], pairs[2], (*[4]int32)(p)[i])
		x[3]++
		write(a, x)
		fmt.Println(a.bytes == x, a.bytes == [16]byte{}, b[off:off+40])
	}
}
