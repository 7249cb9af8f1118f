// run
// SPDX-License-Identifier: MIT

// Every method of reflect on values of every kind, with its result or its
// panic.
package main

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"unsafe"
)

type P struct {
	A int
	b string
}

func (P) M(x int) string { return "" }

type Pt struct {
	A int `x:"y"`
	b string
}
type I interface{ M(int) string }
type myInt int
type bytes []byte
type char byte

// all folds the answers since the last line into a number.
var all = fnv.New32()

// say prints a line that is remarkable, and folds the others.
func say(format string, a ...any) {
	fmt.Fprintf(all, format, a...)
	if n++; n%12 == 0 {
		fmt.Printf("%08x "+format, append([]any{all.Sum32()}, a...)...)
	}
}

var n int

func try(name string, f func() any) {
	defer func() {
		if e := recover(); e != nil {
			if v, ok := e.(*reflect.ValueError); ok {
				say("%s: %s (%s %v)\n", name, v, v.Method, v.Kind)
				return
			}
			say("%s: panic %v\n", name, e)
		}
	}()
	if x := f(); x != nil {
		say("%s: %v\n", name, x)
	}
}

func main() {
	x, s, arr := 5, []int{1, 2, 3}, [2]int{4, 5}
	m := map[string]int{"k": 1}
	var nilp *int
	var e any = x
	c := make(chan int, 3)
	p := &P{1, "b"}
	vals := []reflect.Value{
		{}, reflect.ValueOf(true), reflect.ValueOf(x), reflect.ValueOf(&x), reflect.ValueOf(&x).Elem(),
		reflect.ValueOf(uint8(7)), reflect.ValueOf(2.5), reflect.ValueOf(float32(1)), reflect.ValueOf(1i), reflect.ValueOf("text"),
		reflect.ValueOf(s), reflect.ValueOf(&s), reflect.ValueOf(&s).Elem(), reflect.ValueOf(arr), reflect.ValueOf(&arr), reflect.ValueOf(&arr).Elem(),
		reflect.ValueOf(m), reflect.ValueOf(&m).Elem(), reflect.ValueOf(nilp), reflect.ValueOf(&e).Elem(), reflect.ValueOf(c),
		reflect.ValueOf(*p), reflect.ValueOf(p), reflect.ValueOf(p).Elem(), reflect.ValueOf(p).Elem().Field(0), reflect.ValueOf(p).Elem().Field(1),
		reflect.ValueOf(func() {}), reflect.ValueOf([]byte{97, 98}), reflect.ValueOf(myInt(3)), reflect.ValueOf(unsafe.Pointer(nil)),
		reflect.ValueOf(&[]bytes{bytes("q")}).Elem(), reflect.ValueOf((map[string]int)(nil)), reflect.ValueOf(&[]P{*p}).Elem().Index(0).Field(1),
	}
	pv := reflect.ValueOf
	for i, v := range vals {
		q := func(method string, f func() any) { try(fmt.Sprint(i, " ", method), f) }
		q("Kind", func() any { return v.Kind() })
		q("Type", func() any { return v.Type() })
		q("Addr", func() any { v.Addr(); return nil })
		q("Bool", func() any { return v.Bool() })
		q("Bytes", func() any { return v.Bytes() })
		q("CanAddr", func() any { return fmt.Sprint(v.CanAddr(), v.CanSet(), v.CanInt(), v.CanUint(), v.CanFloat(), v.CanComplex()) })
		q("CanInterface", func() any { return v.CanInterface() })
		q("Cap", func() any { return v.Cap() })
		q("Comparable", func() any { return v.Comparable() })
		q("Complex", func() any { return v.Complex() })
		q("Convert", func() any { return v.Convert(reflect.TypeOf("")) })
		q("CanConvert", func() any { return v.CanConvert(reflect.TypeOf([1]int{})) })
		q("Elem", func() any { v.Elem(); return nil })
		q("Equal", func() any { return v.Equal(v) })
		q("Field", func() any { return v.Field(0).Kind() })
		q("Field9", func() any { return v.Field(9).Kind() })
		q("FieldByIndex", func() any { return v.FieldByIndex([]int{0, 0}).Kind() })
		q("FieldByName", func() any { return v.FieldByName("b").Kind() })
		q("Float", func() any { return v.Float() })
		q("Index", func() any { return v.Index(1) })
		q("Index9", func() any { return v.Index(9) })
		q("Int", func() any { return v.Int() })
		q("Interface", func() any { v.Interface(); return nil })
		q("IsNil", func() any { return v.IsNil() })
		q("IsZero", func() any { return v.IsZero() })
		q("Len", func() any { return v.Len() })
		q("MapIndex", func() any { return v.MapIndex(pv("k")) })
		q("MapIndex2", func() any { return v.MapIndex(pv(1)) })
		q("MapKeys", func() any { return len(v.MapKeys()) })
		q("MapRange", func() any { return v.MapRange().Next() })
		q("NumField", func() any { return v.NumField() })
		q("NumMethod", func() any { return v.NumMethod() })
		q("OverflowInt", func() any { return v.OverflowInt(1 << 40) })
		q("OverflowUint", func() any { return v.OverflowUint(256) })
		q("OverflowFloat", func() any { return v.OverflowFloat(1e300) })
		q("OverflowComplex", func() any { return v.OverflowComplex(1e300) })
		q("Pointer", func() any { v.Pointer(); return nil })
		q("UnsafePointer", func() any { v.UnsafePointer(); return nil })
		q("UnsafeAddr", func() any { v.UnsafeAddr(); return nil })
		q("Set", func() any { v.Set(pv(1)); return nil })
		q("Set nothing", func() any { v.Set(reflect.Value{}); return nil })
		q("Set hidden", func() any { v.Set(pv(*p).Field(1)); return nil })
		q("SetBool", func() any { v.SetBool(true); return nil })
		q("SetBytes", func() any { v.SetBytes([]byte("x")); return nil })
		q("SetCap", func() any { v.SetCap(100); return nil })
		q("SetComplex", func() any { v.SetComplex(1); return nil })
		q("SetFloat", func() any { v.SetFloat(1); return nil })
		q("SetInt", func() any { v.SetInt(1); return nil })
		q("SetLen", func() any { v.SetLen(100); return nil })
		q("SetMapIndex", func() any { v.SetMapIndex(pv("k"), pv("v")); return nil })
		q("SetMapIndex2", func() any { v.SetMapIndex(pv("k"), reflect.Value{}); return nil })
		q("SetMapIndex3", func() any { v.SetMapIndex(pv(*p).Field(1), pv(1)); return nil })
		q("SetMapIndex4", func() any { v.SetMapIndex(pv("z"), pv(4)); return nil })
		q("SetPointer", func() any { v.SetPointer(nil); return nil })
		q("SetString", func() any { v.SetString("x"); return nil })
		q("SetUint", func() any { v.SetUint(1); return nil })
		q("SetZero", func() any { v.SetZero(); return nil })
		q("Slice", func() any { return v.Slice(0, 1) })
		q("Slice9", func() any { return v.Slice(3, 9) })
		q("Slice3", func() any { return v.Slice3(0, 1, 1) })
		q("Slice39", func() any { return v.Slice3(0, 5, 2) })
		q("Uint", func() any { return v.Uint() })
		q("Append", func() any { return reflect.Append(v, pv(1)) })
		q("AppendSlice", func() any { return reflect.AppendSlice(v, v) })
		q("AppendSlice2", func() any { return reflect.AppendSlice(pv(s), v) })
		q("Copy", func() any { return reflect.Copy(v, pv(s)) })
		q("Copy2", func() any { return reflect.Copy(pv(s), v) })
		q("Copy3", func() any { return reflect.Copy(v, pv("zz")) })
		if v.IsValid() && v.CanInterface() {
			q("Swapper", func() any { reflect.Swapper(v.Interface())(0, 5); return nil })
			q("Indirect", func() any { return reflect.Indirect(v).Kind() })
			t := v.Type()
			w := func(method string, f func() any) { try(fmt.Sprint(i, " Type.", method), f) }
			w("Bits", func() any { return t.Bits() })
			w("ChanDir", func() any { return t.ChanDir() })
			w("Elem", func() any { return t.Elem() })
			w("Field", func() any { return t.Field(0).Name })
			w("Field9", func() any { return t.Field(9).Name })
			w("FieldByName", func() any { _, ok := t.FieldByName("b"); return ok })
			w("In", func() any { return t.In(0) })
			w("Out", func() any { return t.Out(0) })
			w("NumIn", func() any { return t.NumIn() })
			w("NumOut", func() any { return t.NumOut() })
			w("NumField", func() any { return t.NumField() })
			w("NumMethod", func() any { return t.NumMethod() })
			w("Method", func() any { return t.Method(0).Name })
			w("IsVariadic", func() any { return t.IsVariadic() })
			w("Key", func() any { return t.Key() })
			w("Len", func() any { return t.Len() })
			w("Implements", func() any { return t.Implements(reflect.TypeOf(1)) })
			w("ImplementsI", func() any { return t.Implements(reflect.TypeOf((*I)(nil)).Elem()) })
			w("Implements nil", func() any { return t.Implements(nil) })
			w("AssignableTo nil", func() any { return t.AssignableTo(nil) })
			w("ConvertibleTo nil", func() any { return t.ConvertibleTo(nil) })
			w("MakeSlice", func() any { return reflect.MakeSlice(t, 1, 1) })
			w("MakeSlice2", func() any { return reflect.MakeSlice(t, -1, 1) })
			w("MakeSlice3", func() any { return reflect.MakeSlice(t, 0, -1) })
			w("MakeSlice4", func() any { return reflect.MakeSlice(t, 2, 1) })
			w("MakeMap", func() any { return reflect.MakeMap(t).Len() })
			w("MapOf", func() any { return reflect.MapOf(t, t) })
		}
	}
	try("New", func() any { return reflect.New(nil) })
	try("Zero", func() any { return reflect.Zero(nil) })
	try("ArrayOf", func() any { return reflect.ArrayOf(-1, reflect.TypeOf(1)) })
	try("ArrayOf", func() any { return reflect.ArrayOf(1<<60, reflect.TypeOf(1)) })
	try("ChanOf", func() any { return reflect.ChanOf(0, reflect.TypeOf(1)) })
	try("ChanOf", func() any { return reflect.ChanOf(1, reflect.TypeOf([1 << 17]byte{})) })
	try("FuncOf", func() any { return reflect.FuncOf([]reflect.Type{reflect.TypeOf(1)}, nil, true) })
	try("Next", func() any { it := pv(m).MapRange(); it.Next(); it.Next(); it.Next(); return it.Next() })
	try("Key", func() any { return pv(m).MapRange().Key() })
	try("Value", func() any { return pv(m).MapRange().Value() })
	try("Next", func() any { return new(reflect.MapIter).Next() })
	fmt.Println(reflect.Kind(40), reflect.ChanDir(9), reflect.BothDir)

	// What can be assigned and converted to what.
	ts := []reflect.Type{}
	for _, x := range []any{true, 1, int8(1), uint(1), uintptr(1), 1.5, float32(1), 1i, complex64(1), "", []byte{}, []rune{}, bytes{}, []char{}, []int{}, [2]int{}, &[2]int{}, [4]byte{}, &[4]byte{},
		P{}, &P{}, Pt{}, &Pt{}, []P{}, []Pt{}, map[string]P{}, map[string]Pt{}, myInt(1), new(myInt), new(int), make(chan int), make(<-chan int), make(chan<- int),
		func(P) {}, func(Pt) {}, func() {}, unsafe.Pointer(nil), struct {
			A int
			b string
		}{}, char(1)} {
		ts = append(ts, reflect.TypeOf(x))
	}
	ts = append(ts, reflect.TypeOf(&e).Elem(), reflect.TypeOf((*I)(nil)).Elem(), reflect.TypeOf((*error)(nil)).Elem())
	for _, t := range ts {
		line := ""
		for _, u := range ts {
			k := "."
			if t.ConvertibleTo(u) {
				k = "c"
			}
			if t.AssignableTo(u) {
				k = "a"
			}
			line += k
		}
		fmt.Println(line, t)
	}
	for _, v := range []any{-1, 65, int64(1) << 40, uint64(1<<64 - 1), uint8(200), 300.7, -1.5, float32(2.25), "héllo\xff", []byte("ab"), []rune("é"), []int{1, 2, 3}, 1 + 2i, myInt(9), P{1, "q"}} {
		for _, t := range ts {
			rv := pv(v)
			if rv.CanConvert(t) && t.Kind() != reflect.Pointer {
				c := rv.Convert(t)
				say("%v>%v=%v\n", v, t, c)
			} else if rv.Type().ConvertibleTo(t) {
				try("", func() any { rv.Convert(t); return nil })
			}
		}
		fmt.Println()
	}
}
