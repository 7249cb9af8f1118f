// run
// SPDX-License-Identifier: MIT

// Package encoding/binary.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

type In struct {
	A int8
	_ [3]byte
	B uint16
}
type S struct {
	A bool
	B int32
	C [3]In
	D float64
	E complex64
	F complex128
	G [2]float32
	H int64
	I uint64
	J bool
}
type unexp struct {
	A int16
	b int16
}
type bad struct{ A int }
type myOrder struct{ binary.ByteOrder }
type named uint32
type nslice []named

func try(name string, f func()) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(name, "panic:", e)
		}
	}()
	f()
}

func main() {
	s := S{true, -5, [3]In{{A: 1, B: 2}, {A: -3, B: 4}, {A: 5, B: 65535}}, math.Pi, 1 + 2i, 3 - 4i, [2]float32{1.5, -2.5}, math.MinInt64, math.MaxUint64, true}
	vals := []any{true, false, int8(-1), uint8(200), int16(-300), uint16(65000), int32(-7), uint32(7), int64(-8), uint64(8), float32(1.25), 2.5, complex64(1i), complex128(2i),
		[]bool{true, false, true}, []int8{1, -2}, []byte("hey"), []int16{1, -2}, []uint16{3, 4}, []int32{5, -6}, []uint32{7}, []int64{-9}, []uint64{10, 11}, []float32{1, 2}, []float64{3}, []complex64{1 + 1i},
		s, &s, []S{s, s}, [2]int16{1, 2}, &[2]int16{1, 2}, unexp{1, 2}, &unexp{3, 4}, named(4), nslice{1, 2}, &[]uint16{1}, []In{}, struct{}{}, [0]int32{}, []byte(nil),
		1, uint(2), "str", bad{1}, []int{1}, &bad{2}, []string{}, map[string]int{}, (*int32)(nil), [][]int16{{1}}, []any{int8(1)}, uintptr(1), &[]int{2}, [2]string{}}
	orders := []binary.ByteOrder{binary.LittleEndian, binary.BigEndian, binary.NativeEndian, myOrder{binary.BigEndian}}
	for i, v := range vals {
		fmt.Printf("%d %T size %d\n", i, v, binary.Size(v))
		for _, o := range orders {
			try("w", func() {
				var buf bytes.Buffer
				err := binary.Write(&buf, o, v)
				fmt.Println(buf.Bytes(), err)
				b, err := binary.Append([]byte{9}, o, v)
				fmt.Println(b, err)
				e := make([]byte, 30)
				n, err := binary.Encode(e, o, v)
				fmt.Println(e[:n], n, err)
			})
		}
	}
	data := make([]byte, 400)
	for i := range data {
		data[i] = byte(i*7 + 1)
	}
	dst := []any{new(bool), new(int8), new(uint8), new(int16), new(uint16), new(int32), new(uint32), new(int64), new(uint64), new(float32), new(float64), new(complex64), new(complex128),
		make([]byte, 4), make([]int16, 3), make([]uint16, 2), make([]int32, 2), make([]uint32, 2), make([]int64, 2), make([]uint64, 2), make([]float32, 2), make([]float64, 2),
		new(S), make([]S, 2), new([3]int16), new(unexp), new(named), make(nslice, 3), &[]uint16{0, 0}, []In{}, new(struct{}), new(int), 1, "s", []int{1}, S{}, new(bad), [2]int8{}, new(string), make([]In, 4)}
	for i, d := range dst {
		for _, o := range orders {
			try(fmt.Sprint(i), func() {
				r := bytes.NewReader(data)
				err := binary.Read(r, o, d)
				fmt.Printf("%d %T %+v %v %d\n", i, d, show(d), err, r.Len())
				n, err := binary.Decode(data[3:], o, d)
				fmt.Printf("%d %T %+v %v %d\n", i, d, show(d), err, n)
				n, err = binary.Decode(data[:1], o, d)
				fmt.Printf("%v %d\n", err, n)
				err = binary.Read(bytes.NewReader(nil), o, d)
				fmt.Println(err)
				err = binary.Read(bytes.NewReader(data[:1]), o, d)
				fmt.Println(err)
			})
		}
	}
	for _, o := range orders[:3] {
		fmt.Printf("%v %#v %s\n", o, o, o)
	}
	for _, x := range []uint64{0, 1, 127, 128, 300, 1 << 20, 1<<35 - 1, 1 << 63, math.MaxUint64} {
		b := binary.AppendUvarint(nil, x)
		y, n := binary.Uvarint(b)
		z, m := binary.Uvarint(b[:len(b)-1])
		fmt.Println(x, b, y, n, z, m)
		v, err := binary.ReadUvarint(bytes.NewReader(b))
		w, err2 := binary.ReadUvarint(bytes.NewReader(b[:len(b)-1]))
		fmt.Println(v, err, w, err2)
		c := make([]byte, 10)
		fmt.Println(c[:binary.PutVarint(c, -int64(x))])
		i, n := binary.Varint(c)
		j, err := binary.ReadVarint(bytes.NewReader(c))
		fmt.Println(i, n, j, err, binary.AppendVarint(nil, int64(x)))
	}
	for _, t := range []string{"", "\x80", strings.Repeat("\xff", 9) + "\x01", strings.Repeat("\xff", 9) + "\x02", strings.Repeat("\xff", 10) + "\x01", strings.Repeat("\x80", 20), strings.Repeat("\x80", 9), strings.Repeat("\x80", 10)} {
		x, n := binary.Uvarint([]byte(t))
		y, m := binary.Varint([]byte(t))
		v, err := binary.ReadUvarint(strings.NewReader(t))
		w, err2 := binary.ReadVarint(strings.NewReader(t))
		fmt.Printf("%q %d %d %d %d %d %v %d %v\n", t, x, n, y, m, v, err, w, err2)
	}
	try("short", func() { binary.BigEndian.Uint32([]byte{1, 2}) })
	try("shortput", func() { binary.PutUvarint(make([]byte, 1), 300) })
	try("nil", func() { fmt.Println(binary.Write(io.Discard, binary.BigEndian, nil)) })
	try("nilr", func() { fmt.Println(binary.Read(strings.NewReader("abc"), binary.BigEndian, nil)) })
	try("nilsize", func() { fmt.Println(binary.Size(nil)) })
	fmt.Println(binary.BigEndian.AppendUint16(nil, 0x102), binary.LittleEndian.AppendUint64(nil, 0x102030405060708))
}

func show(d any) any {
	switch d := d.(type) {
	case *S:
		return *d
	case *bool:
		return *d
	case *int8:
		return *d
	case *uint8:
		return *d
	case *int16:
		return *d
	case *uint16:
		return *d
	case *int32:
		return *d
	case *uint32:
		return *d
	case *int64:
		return *d
	case *uint64:
		return *d
	case *float32:
		return *d
	case *float64:
		return *d
	case *complex64:
		return *d
	case *complex128:
		return *d
	case *named:
		return *d
	case *int, *string:
		return nil
	}
	return d
}
