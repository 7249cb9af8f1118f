// run
// SPDX-License-Identifier: MIT

// Small print of reflect: what may be set behind embedded fields, packages of
// methods, NaNs, slices of memory, sizes that are too large.

package main

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			_, isError := r.(error)
			fmt.Printf("%s: %v %v\n", name, r, isError)
		}
	}()
	f()
}

type embed struct {
	a int
	B int
}

type outer struct {
	embed
	C int
}

type withHidden interface {
	Open()
	hidden()
}

func main() {
	v := reflect.ValueOf(&outer{}).Elem()
	for _, f := range []reflect.Value{v.Field(0), v.Field(0).Field(0), v.Field(0).Field(1),
		v.Field(0).Addr().Elem().Field(0), v.Field(0).Addr().Elem().Field(1), v.Field(1).Addr().Elem()} {
		fmt.Print(f.CanSet(), " ")
	}
	fmt.Println()
	for _, t := range []reflect.Type{reflect.TypeOf((*withHidden)(nil)).Elem(), reflect.TypeOf((*interface{ lower() })(nil)).Elem()} {
		for i := 0; i < t.NumMethod(); i++ {
			m := t.Method(i)
			fmt.Print(m.Name, " ", m.PkgPath, " ", m.IsExported(), "; ")
		}
	}
	fmt.Println()
	nan := math.Float32frombits(0x7f800001)
	type float float32
	fmt.Printf("%x\n", math.Float32bits(float32(reflect.ValueOf(nan).Convert(reflect.TypeOf(float(0))).Interface().(float))))
	zeros()
	array := [4]int16{1, 2, 3, 4}
	s := reflect.SliceAt(reflect.TypeOf(int16(0)), unsafe.Pointer(&array[1]), 2)
	s.Index(0).SetInt(9)
	fmt.Println(s, s.Type(), s.Cap(), array)
	try("slice at", func() { reflect.SliceAt(s.Type(), nil, 1) })
	try("slice at", func() { reflect.SliceAt(s.Type(), unsafe.Pointer(&array), -1) })
	try("slice", func() { reflect.MakeSlice(reflect.TypeOf([]int{}), 1<<62, 1<<62) })
	huge := reflect.ArrayOf(1<<62, reflect.TypeOf(byte(0)))
	f := reflect.StructField{Name: "A", Type: huge}
	g := reflect.StructField{Name: "B", Type: huge}
	h := reflect.StructField{Name: "C", Type: reflect.ArrayOf(2, huge)}
	fmt.Println(reflect.StructOf([]reflect.StructField{f, g}).Size())
	try("struct", func() { reflect.StructOf([]reflect.StructField{f, g, h}) })
}

// zeros: -0 is zero, and blank fields do not count. A slice grows as by append.
func zeros() {
	type blank struct {
		_ int
		a int
		_ float64
	}
	b := blank{}
	*(*int)(unsafe.Pointer(&b)) = 7
	for _, x := range []any{math.Copysign(0, -1), complex(0, math.Copysign(0, -1)), b, [2]blank{b, b},
		[1]blank{{a: 1}}, struct{ f func() }{}, [2]func(){}, 1.5, ""} {
		fmt.Print(reflect.ValueOf(x).IsZero(), " ")
	}
	fmt.Println()
	s := reflect.ValueOf(new([]string)).Elem()
	last := 0
	for i := 0; i < 20; i++ {
		s.Set(reflect.Append(s, reflect.ValueOf("x")))
		if s.Cap() != last {
			last = s.Cap()
			fmt.Print(last, " ")
		}
	}
	s = reflect.ValueOf(new([]byte)).Elem()
	s.Grow(5)
	fmt.Println(s.Len(), s.Cap())
	try("grow", func() { s.Grow(1 << 62) })
	try("slice at", func() { reflect.SliceAt(reflect.TypeOf(0), unsafe.Pointer(&s), 1<<60) })
	fmt.Println(reflect.ValueOf([0]func(){}).Comparable(), reflect.Value{}.Comparable())
}
