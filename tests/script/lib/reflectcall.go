// run
// SPDX-License-Identifier: MIT

// Calls through reflect: arguments and results of all shapes, methods, what
// panics, recovers and exits on its way through Call and MakeFunc, collections
// and growing stacks meanwhile.

package main

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

type small struct {
	a int8
	b bool
}

type big struct {
	s    string
	p    *int
	list [5]uint16
	f    float32
}

type fn func(int) int

func (f fn) Twice(n int) int { return f(f(n)) }

type T struct{ a, b int }

func (t T) Add(n int) int { return t.a + t.b + n }
func (t *T) Set(n int)    { t.a = n }
func (t T) Var(p string, x ...int) string {
	return fmt.Sprint(p, len(x), x)
}
func (t T) hidden() {}

type adder interface{ Add(int) int }

func shapes(a int8, b uint16, c float32, d complex64, e small, g big,
	h [3]byte, i any, j error, k struct{}, l []string, m map[string]int,
	n func() int, o bool) (bool, big, int16, struct{}, [3]byte, error, small, complex64) {
	fmt.Println(a, b, c, d, e, g.s, *g.p, g.list, g.f, h, i, j, k, l, m, n(), o)
	return o, g, -2, k, h, j, e, d
}

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("%s: %v\n", name, r)
		}
	}()
	f()
}

func values(list ...any) []reflect.Value {
	var out []reflect.Value
	for _, x := range list {
		out = append(out, reflect.ValueOf(x))
	}
	return out
}

func calls() {
	n := 7
	g := big{"text", &n, [5]uint16{1, 2, 3, 4, 65535}, 1.5}
	in := values(int8(-3), uint16(65000), float32(0.5), complex64(1-2i),
		small{-1, true}, g, [3]byte{1, 2, 3}, "any", errors.New("e"), struct{}{},
		[]string{"x"}, map[string]int{"k": 1}, func() int { return 9 }, true)
	for _, v := range reflect.ValueOf(shapes).Call(in) {
		fmt.Print(v.Type(), " ")
	}
	fmt.Println()
	out := reflect.ValueOf(shapes).Call(in)
	fmt.Println(out[0], out[1].Field(2), out[2].Int(), out[4], out[5], out[6], out[7])
	sum := func(first int, rest ...int8) int {
		for _, x := range rest {
			first += int(x)
		}
		return first
	}
	v := reflect.ValueOf(sum)
	fmt.Println(v.Call(values(1))[0], v.Call(values(1, int8(2), int8(-5)))[0],
		v.CallSlice(values(1, []int8{3}))[0])
}

func methods() {
	t := &T{1, 2}
	v := reflect.ValueOf(t)
	for i := 0; i < v.NumMethod(); i++ {
		m := v.Type().Method(i)
		fmt.Println(i, m.Name, m.Type, m.Func.Type(), v.Method(i).Type(), m.Index)
	}
	v.MethodByName("Set").Call(values(10))
	fmt.Println(v.MethodByName("Add").Call(values(5))[0], v.Elem().Method(0).Call(values(5))[0])
	fmt.Println(v.MethodByName("hidden").IsValid(), v.MethodByName("None").IsValid())
	bound := v.Elem().MethodByName("Add").Interface().(func(int) int)
	t.a = 0
	fmt.Println(bound(1))
	fmt.Println(v.MethodByName("Var").Interface().(func(string, ...int) string)("p", 1, 2))
	m, _ := reflect.TypeOf(T{}).MethodByName("Var")
	fmt.Println(m.Func.Call(values(T{}, "x", 4, 5))[0], m.Func.CallSlice(values(T{}, "y", []int{6}))[0])
	var a adder = t
	i := reflect.ValueOf(&a).Elem()
	fmt.Println(i.NumMethod(), i.Method(0).Call(values(100))[0], i.Type().Method(0).Func.IsValid())
	f := reflect.ValueOf(fn(func(n int) int { return n * 3 }))
	fmt.Println(f.Method(0).Call(values(2))[0], f.Type().Method(0).Func.Call([]reflect.Value{f, reflect.ValueOf(3)})[0])
}

func made() {
	swap := func(in []reflect.Value) []reflect.Value { return []reflect.Value{in[1], in[0]} }
	var ints func(int8, int8) (int8, int8)
	var texts func(string, *big) (*big, string)
	for _, p := range []any{&ints, &texts} {
		f := reflect.ValueOf(p).Elem()
		f.Set(reflect.MakeFunc(f.Type(), swap))
	}
	fmt.Println(ints(-1, 2))
	b, s := texts("s", &big{s: "b"})
	fmt.Println(b.s, s)
	var va func(string, ...int) int
	f := reflect.ValueOf(&va).Elem()
	f.Set(reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
		return values(in[0].Len()*100 + in[1].Len())
	}))
	fmt.Println(va("abc"), va("abc", 1, 2), f.Call(values("ab", 1))[0])
	var wg sync.WaitGroup
	var start func(string, *[]string)
	f = reflect.ValueOf(&start).Elem()
	f.Set(reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
		defer wg.Done()
		runtime.GC()
		l := in[1].Elem()
		l.Set(reflect.Append(l, in[0]))
		return nil
	}))
	var list []string
	wg.Add(1)
	go start(strings.Repeat("go", 3), &list)
	wg.Wait()
	wg.Add(1)
	func() {
		defer start(strings.Repeat("defer", 2), &list)
		list = append(list, "body")
	}()
	fmt.Println(list)
}

// deep calls itself through reflect and a made function by turns; the stack
// grows, and collections find what is on it.
func deep(n int, s *string) int {
	if n == 0 {
		runtime.GC()
		return len(*s)
	}
	t := fmt.Sprint(*s, n%10)
	if n%2 == 0 {
		return int(reflect.ValueOf(deep).Call(values(n-1, &t))[0].Int())
	}
	f := reflect.MakeFunc(reflect.TypeOf(deep), func(in []reflect.Value) []reflect.Value {
		return values(deep(int(in[0].Int()), in[1].Interface().(*string)))
	})
	return f.Interface().(func(int, *string) int)(n-1, &t)
}

func unwinding() {
	inner := reflect.ValueOf(func(s string) { panic(s) })
	try("call", func() { inner.Call(values("through")) })
	f := reflect.MakeFunc(reflect.TypeOf(func() int { return 0 }), func([]reflect.Value) []reflect.Value {
		panic("made")
	}).Interface().(func() int)
	try("made", func() { f() })
	rescued := reflect.ValueOf(func() (s string) {
		defer func() { s = fmt.Sprint("rescued ", recover()) }()
		inner.Call(values("x"))
		return "no"
	})
	fmt.Println(rescued.Call(nil)[0])
	done := make(chan string, 3)
	go func() {
		defer close(done)
		defer func() { done <- "deferred" }()
		reflect.ValueOf(runtime.Goexit).Call(nil)
		done <- "not reached"
	}()
	for s := range done {
		fmt.Println(s)
	}
}

func refusals() {
	f := reflect.ValueOf(func(int, string) {})
	try("few", func() { f.Call(values(1)) })
	try("many", func() { f.Call(values(1, "", 2)) })
	try("zero", func() { f.Call(make([]reflect.Value, 2)) })
	try("type", func() { f.Call(values(1, 2)) })
	try("slice", func() { f.CallSlice(values(1, "")) })
	try("nil", func() { reflect.ValueOf((func())(nil)).Call(nil) })
	try("kind", func() { reflect.ValueOf(1).Call(nil) })
	try("invalid", func() { reflect.Value{}.Call(nil) })
	try("variadic", func() { reflect.ValueOf(fmt.Sprint).CallSlice(nil) })
	try("element", func() { reflect.ValueOf(func(...int) {}).Call(values("s")) })
	try("index", func() { reflect.ValueOf(T{}).Method(9) })
	try("nil interface", func() { var a adder; reflect.ValueOf(&a).Elem().Method(0) })
	try("nil receiver", func() { reflect.ValueOf((*T)(nil)).MethodByName("Add").Call(values(1)) })
	type private struct{ f func() }
	try("unexported", func() { reflect.ValueOf(private{}).Field(0).Call(nil) })
	try("no func", func() { reflect.MakeFunc(reflect.TypeOf(1), nil) })
	try("count", func() {
		reflect.MakeFunc(reflect.TypeOf(func() {}), func([]reflect.Value) []reflect.Value {
			return values(1)
		}).Call(nil)
	})
	try("result", func() {
		reflect.MakeFunc(reflect.TypeOf(func() int { return 0 }), func([]reflect.Value) []reflect.Value {
			return values("s")
		}).Call(nil)
	})
}

func main() {
	calls()
	methods()
	made()
	s := "start"
	fmt.Println(deep(300, &s))
	unwinding()
	refusals()
}
