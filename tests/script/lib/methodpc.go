// run
// SPDX-License-Identifier: MIT

// What runtime.FuncForPC says of functions that package reflect makes of methods.
package main

import (
	"fmt"
	"reflect"
	"runtime"
)

type T struct{ a int }

func (t T) Get() int  { return 1 }
func (t *T) Ptr() int { return 2 }

type Big struct {
	a, b, c int
	T
}

func (b Big) Own(x int, s string) string { return s }

type I interface{ Get() int }
type F func()

func (f F) Call() { f() }

type G[X any] struct{ x X }

func (g G[X]) Get() X { return g.x }

func name(v reflect.Value) {
	f := runtime.FuncForPC(v.Pointer())
	fmt.Println(f.Name())
}

func all(x any) {
	t := reflect.TypeOf(x)
	for i := 0; i < t.NumMethod(); i++ {
		m := t.Method(i)
		fmt.Print(t, " ", m.Name, " Func ")
		name(m.Func)
	}
	v := reflect.ValueOf(x)
	for i := 0; i < v.NumMethod(); i++ {
		fmt.Print(t, " value ")
		name(v.Method(i))
	}
}

func main() {
	all(T{})
	all(&T{})
	all(Big{})
	all(&Big{})
	all(F(nil))
	all(G[int]{})
	name(reflect.ValueOf(T.Get))
	name(reflect.ValueOf((*T).Get))
	name(reflect.ValueOf((*T).Ptr))
	name(reflect.ValueOf(T{}.Get))
	name(reflect.ValueOf(main))
	name(reflect.MakeFunc(reflect.TypeOf(func() {}), nil))
	m, _ := reflect.TypeOf(T{}).MethodByName("Get")
	fmt.Println(m.Func.Call([]reflect.Value{reflect.ValueOf(T{})})[0], m.Func.Interface().(func(T) int)(T{}))
}
