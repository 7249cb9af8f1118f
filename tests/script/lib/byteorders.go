// run
// SPDX-License-Identifier: MIT

// Numbers in both orders of bytes at each place of a word, and where the slice
// is too short.
package main

import (
	"encoding/binary"
	"fmt"
)

type order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func try(name string, f func()) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(name, e)
		}
	}()
	f()
	fmt.Println(name, "no panic")
}

func main() {
	b := make([]byte, 24)
	for i := range b {
		b[i] = byte(0x81 + 7*i)
	}
	for i := range 9 {
		fmt.Printf("%x %x %x ", binary.LittleEndian.Uint16(b[i:]),
			binary.LittleEndian.Uint32(b[i:]), binary.LittleEndian.Uint64(b[i:]))
		fmt.Printf("%x %x %x\n", binary.BigEndian.Uint16(b[i:]),
			binary.BigEndian.Uint32(b[i:]), binary.BigEndian.Uint64(b[i:]))
	}
	const v = 0x0123456789abcdef
	for i := range 9 {
		d := make([]byte, 20)
		binary.LittleEndian.PutUint64(d[i:], v)
		fmt.Printf("%x ", d)
		binary.LittleEndian.PutUint32(d[i+1:], v&0xffffffff)
		binary.LittleEndian.PutUint16(d[i+7:], v&0xffff)
		fmt.Printf("%x ", d)
		binary.BigEndian.PutUint64(d[i+2:], v)
		binary.BigEndian.PutUint32(d[i+3:], v&0xffffffff)
		binary.BigEndian.PutUint16(d[i+5:], v&0xffff)
		fmt.Printf("%x\n", d)
	}
	for _, o := range []order{binary.LittleEndian, binary.BigEndian} {
		for n := range 9 {
			s := b[:n:n]
			name := fmt.Sprint(o, n)
			try(name, func() { o.Uint16(s) })
			try(name, func() { o.Uint32(s) })
			try(name, func() { o.Uint64(s) })
			t := make([]byte, n)
			try(name, func() { o.PutUint16(t, 0xffff) })
			try(name, func() { o.PutUint32(t, 0xffffffff) })
			try(name, func() { o.PutUint64(t, 1<<64-1) })
			fmt.Println(t, o.AppendUint32(o.AppendUint16(t, 1), 2))
		}
	}
	var none []byte
	try("nil", func() { binary.LittleEndian.Uint16(none) })
	try("nil", func() { binary.LittleEndian.PutUint64(none, 1) })
	w := []uint32{1, 2}
	for i := range b {
		b[i] = 0
	}
	for i := range w {
		binary.LittleEndian.PutUint32(b[4*i:], w[i])
		b[4*i+1]++ // between a store and a load of it
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	fmt.Println(w, b)
}
