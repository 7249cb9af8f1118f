// run
// SPDX-License-Identifier: MIT

// Values of several words whose fields are smaller than a word, so that they
// may stand between words: in interfaces, channels, maps, comparisons,
// conversions and in reflection.
package main

import (
	"fmt"
	"reflect"
	"sort"
)

type quad [4]float32

type halves [8]uint16

type bytes16 [16]byte

type outer struct {
	A uint32
	Q quad
	B uint16
	H halves
	C byte
	Y bytes16
}

func main() {
	xs := []outer{{}, {1, quad{1, 2, 3, 4}, 2, halves{1, 2, 3, 4, 5, 6, 7, 8}, 3, bytes16{15: 1}}}
	for i := range xs {
		v := reflect.ValueOf(&xs[i]).Elem()
		for f := 0; f < v.NumField(); f++ {
			fmt.Println(v.Field(f).Interface(), v.Field(f).IsZero())
		}
		var boxed []any
		boxed = append(boxed, xs[i].Q, xs[i].H, xs[i].Y)
		fmt.Println(boxed...)
		for _, b := range boxed {
			switch b := b.(type) {
			case quad:
				fmt.Println(b == xs[i].Q, b == xs[1].Q)
			case halves:
				fmt.Println(b == xs[i].H, b == xs[1].H)
			case bytes16:
				fmt.Println(b == xs[i].Y, b == xs[1].Y)
			}
		}
	}

	keys := map[any]int{}
	direct := map[quad]halves{}
	inner := map[bytes16]quad{}
	for i := range xs {
		keys[xs[i].Q]++
		keys[xs[i].H]++
		keys[xs[i].Y]++
		direct[xs[i].Q] = xs[i].H
		inner[xs[i].Y] = xs[i].Q
	}
	fmt.Println(len(keys), direct[xs[1].Q], inner[xs[1].Y], keys[xs[1].H])

	c := make(chan quad, 1)
	d := make(chan bytes16)
	go func() { d <- xs[1].Y }()
	select {
	case c <- xs[1].Q:
	default:
	}
	xs[0].Q = <-c
	select {
	case xs[0].Y = <-d:
	}
	fmt.Println(xs[0] == xs[1], xs[0])

	xs[0].Q, xs[1].Q = xs[1].Q, quad{9}
	swap := reflect.Swapper(xs)
	swap(0, 1)
	reflect.ValueOf(&xs[1]).Elem().Field(3).Set(reflect.ValueOf(halves{7: 1}))
	fmt.Println(xs)
	sort.Slice(xs, func(i, j int) bool { return xs[i].Q[0] < xs[j].Q[0] })
	f := reflect.ValueOf(func(q quad, y bytes16) (halves, quad) { return halves{7: uint16(y[15])}, q })
	for _, r := range f.Call([]reflect.Value{reflect.ValueOf(&xs[0]).Elem().Field(1), reflect.ValueOf(&xs[0]).Elem().Field(5)}) {
		fmt.Println(r.Interface())
	}
	y := bytes16([]byte("0123456789abcdef-")[:16])
	p := (*bytes16)(append(make([]byte, 3), y[:]...)[3:])
	var a any = *p
	fmt.Println(a == any(y), string(p[:]))
}
