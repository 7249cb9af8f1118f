// run
// concurrent: 5
// SPDX-License-Identifier: MIT

// Types that the program does not mention: made when they are asked for, and
// then the same for everybody.
package main

import (
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"unsafe"
)

type T struct {
	A int
	B []string
	c *T
}

func (T) Val(int) string            { return "" }
func (*T) Ptr(a string, b ...error) {}
func (t *T) String() string         { return fmt.Sprint("T", t.A) }

type hidden struct{ X, y int }

type outer struct {
	hidden
	*T
	z hidden
}

type named []int

func main() {
	tt := reflect.TypeOf(T{})
	v := reflect.ValueOf(&T{A: 5}).Elem()
	for i := 0; i < v.NumField(); i++ {
		fmt.Println(v.Field(i).Addr().Type(), v.Field(i).CanSet())
	}
	n := reflect.New(tt)
	n.Elem().Field(0).SetInt(42)
	fmt.Println(n.Interface(), n.Type(), n.Type().NumMethod(), n.Elem().Field(0))
	for i := 0; i < n.Type().NumMethod(); i++ {
		m := n.Type().Method(i)
		fmt.Println(m.Name, m.Type, m.Type.IsVariadic())
	}
	fmt.Println(reflect.PointerTo(tt) == reflect.TypeOf((*T)(nil)), tt.Method(0).Type)

	// Parts of parts.
	ty := reflect.TypeOf(0)
	seen := map[reflect.Type]bool{}
	for i := 0; i < 4; i++ {
		for _, u := range []reflect.Type{reflect.PointerTo(ty), reflect.SliceOf(ty),
			reflect.ArrayOf(3, ty), reflect.MapOf(reflect.TypeOf(""), ty),
			reflect.ChanOf(reflect.RecvDir, ty), reflect.ChanOf(reflect.SendDir, ty),
			reflect.ChanOf(reflect.BothDir, ty),
			reflect.FuncOf([]reflect.Type{ty, tt}, []reflect.Type{ty}, false),
			reflect.FuncOf([]reflect.Type{reflect.SliceOf(ty)}, []reflect.Type{ty, ty}, true)} {
			if seen[u] {
				fmt.Println("twice", u)
			}
			seen[u] = true
			z := reflect.Zero(u)
			fmt.Println(u, u.Kind(), u.Size(), u.Align(), u.Comparable(), u.Name() == "", z.IsZero(), z.Comparable())
		}
		ty = []reflect.Type{reflect.SliceOf(ty), reflect.ChanOf(reflect.RecvDir, ty),
			reflect.ChanOf(reflect.BothDir, ty), ty}[i]
	}
	fmt.Println(reflect.SliceOf(reflect.TypeOf(0)) == reflect.TypeOf([]int{}),
		reflect.MapOf(reflect.TypeOf(""), reflect.TypeOf(T{})) == reflect.TypeOf(map[string]T{}),
		reflect.ArrayOf(2, reflect.TypeOf('x')) == reflect.TypeOf([2]rune{}),
		reflect.FuncOf([]reflect.Type{reflect.TypeOf([]any{})}, nil, true) == reflect.TypeOf(func(...any) {}),
		reflect.SliceOf(reflect.TypeOf(0)) == reflect.TypeOf(named{}))

	// Values of them, kept alive by the collector through their own layouts.
	at := reflect.ArrayOf(37, reflect.TypeOf(struct {
		n int8
		p *int
		s string
	}{}))
	a := reflect.New(at)
	mt := reflect.MapOf(reflect.ArrayOf(2, reflect.TypeOf("")), reflect.PointerTo(reflect.TypeOf(uint16(0))))
	m := reflect.MakeMap(mt)
	for i := 0; i < 300; i++ {
		p := reflect.New(reflect.TypeOf(uint16(0)))
		p.Elem().SetUint(uint64(i))
		k := reflect.New(mt.Key()).Elem()
		k.Index(0).SetString(fmt.Sprint("key", i))
		m.SetMapIndex(k, p)
		x := new(int)
		*x = i
		*(**int)(unsafe.Pointer(a.Elem().Index(i % 37).Field(1).UnsafeAddr())) = x
		if i%50 == 0 {
			runtime.GC()
		}
	}
	runtime.GC()
	sum := 0
	for it := m.MapRange(); it.Next(); {
		sum += int(it.Value().Elem().Uint())
	}
	for i := 0; i < 37; i++ {
		sum += int(a.Elem().Index(i).Field(1).Elem().Int())
	}
	k := reflect.New(mt.Key()).Elem()
	k.Index(0).SetString("key7")
	fmt.Println(m.Len(), sum, m.MapIndex(k).Elem())
	m.SetMapIndex(k, reflect.Value{})
	fmt.Println(m.Len(), m.MapIndex(k).IsValid())
	list := reflect.MakeSlice(reflect.SliceOf(reflect.SliceOf(reflect.TypeOf(uint8(0)))), 2, 5)
	list = reflect.Append(list, reflect.ValueOf([]byte("abc")))
	fmt.Println(list.Type(), list, list.Slice(1, 3), list.Slice3(0, 1, 2).Cap())
	arr := reflect.New(reflect.ArrayOf(4, reflect.TypeOf(int16(0)))).Elem()
	s := arr.Slice(1, 3)
	s.Index(0).SetInt(-3)
	fmt.Println(s.Type(), arr, arr.Slice3(0, 1, 3).Cap())
	_, isT := reflect.New(reflect.TypeOf(named{})).Interface().(*named)
	_, isS := reflect.New(tt).Interface().(fmt.Stringer)
	fmt.Println(isT, isS, reflect.New(tt).Type().Implements(reflect.TypeOf((*fmt.Stringer)(nil)).Elem()))

	// An exported field of a struct embedded by an unexported name is not
	// read-only, its neighbours are.
	o := reflect.ValueOf(&outer{T: &T{}}).Elem()
	for _, name := range []string{"hidden", "X", "y", "T", "A", "c", "z"} {
		f := o.FieldByName(name)
		fmt.Println(name, f.CanSet(), f.CanInterface(), f.CanAddr())
	}
	f, _ := reflect.TypeOf(reflect.Value{}).FieldByName("flag")
	bits := func(v reflect.Value) uintptr {
		return *(*uintptr)(unsafe.Pointer(uintptr(unsafe.Pointer(&v)) + f.Offset))
	}
	x := struct {
		A int
		hidden
		a int
	}{}
	pub := reflect.ValueOf(x).Field(0)
	fmt.Println(f.Type.Kind(), bits(pub)&31 == uintptr(reflect.Int),
		bits(reflect.ValueOf(x).Field(1))>>5&3, bits(reflect.ValueOf(x).Field(2))>>5&3,
		bits(pub)^bits(reflect.ValueOf(&x).Elem().Field(0)))

	// Many at once.
	var wg sync.WaitGroup
	got := make([][]reflect.Type, 8)
	for g := range got {
		wg.Add(1)
		go func() {
			defer wg.Done()
			t := reflect.TypeOf(int32(0))
			for i := 0; i < 200; i++ {
				t = reflect.PointerTo(t)
				got[g] = append(got[g], t, reflect.ArrayOf(i, t))
			}
		}()
	}
	wg.Wait()
	same := true
	for _, list := range got {
		for i, t := range list {
			same = same && t == got[0][i]
		}
	}
	fmt.Println(same, len(got[0][398].String()))
}
