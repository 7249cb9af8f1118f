// run
// SPDX-License-Identifier: MIT

// Names of instances: of types by %T and reflect, of functions by runtime.
package main

import (
	"container/list"
	"fmt"
	"reflect"
	"runtime"
	"sync/atomic"
	"text/tabwriter"
)

type Pair[A, B any] struct {
	First  A
	Second B
}

type T struct{}

func (p Pair[A, B]) Where() string { return here() }

//go:noinline
func (p *Pair[A, B]) PWhere() string {
	s := ""
	call(func() { s = here() })
	return s
}

func here() string {
	pc, _, _, _ := runtime.Caller(1)
	return runtime.FuncForPC(pc).Name()
}

//go:noinline
func call(f func()) { f() }

//go:noinline
func where[X any](x X) (a, b string) {
	call(func() {
		call(func() { b = here() })
	})
	return here(), b
}

// Types declared in a generic function are others for each instance.
func locals[X any](x X) (any, any, any) {
	type local struct{ x X }
	type plain int
	f := func() any {
		type deep []local
		return deep{{x}}
	}
	return local{x}, plain(1), f()
}

type Rec[X any] struct{ next *Rec[X] }

func chain[X any](x X) any {
	type node struct {
		next *node
		val  X
	}
	n := &node{val: x}
	return &node{next: n}
}

func name[X any]() string { return reflect.TypeFor[X]().String() }

type in interface {
	M(Pair[int, string]) Rec[T]
}

func main() {
	fmt.Printf("%T %T %T\n", Pair[string, T]{}, &Pair[int, *T]{}, []Pair[map[string]any, error]{})
	fmt.Printf("%T %T\n", Pair[Pair[int, T], Rec[[]byte]]{}, Pair[func(int, ...string) error, chan<- bool]{})
	fmt.Printf("%T %T\n", Pair[struct {
		A int `k:"v"`
		B []rune
	}, interface{ M(int) string }]{}, Pair[list.List, tabwriter.Writer]{})
	fmt.Printf("%T %T\n", atomic.Pointer[T]{}, in.M)
	t := reflect.TypeOf(Pair[string, T]{})
	fmt.Println(t.Name(), t.PkgPath(), t.String(), t.NumMethod(), t.Field(1).Type)
	t = reflect.TypeOf(&Pair[int, list.Element]{})
	fmt.Println(t.Name() == "", t.Elem().Name(), t.Method(0).Name, t.NumMethod(), t.Method(1).Type)
	fmt.Printf("%v %+v\n", Pair[int, string]{1, "x"}, Pair[int, *int]{})
	fmt.Printf("%#v %#v\n", Pair[int, string]{1, "x"}, []Rec[int]{{}})
	fmt.Println(Pair[int, T]{}.Where(), (&Pair[int, T]{}).PWhere())
	fmt.Println(where(1))
	fmt.Println(where("x"))
	a, b, c := locals(1)
	d, e, f := locals[T](T{})
	fmt.Printf("%T %T %T\n%T %T %T\n", a, b, c, d, e, f)
	fmt.Printf("%v %v %v %v\n", a, b, c, f)
	_, g, _ := locals(2)
	fmt.Println(reflect.TypeOf(b) == reflect.TypeOf(g), reflect.TypeOf(b) == reflect.TypeOf(e), b == g, b == e)
	fmt.Printf("%T %T\n", chain("s"), chain(Rec[int]{}))
	fmt.Println(name[Rec[T]](), name[error](), name[Pair[any, any]](), name[*Rec[Rec[int]]]())
	h := where[float64]
	fmt.Println(runtime.FuncForPC(reflect.ValueOf(h).Pointer()).Name())
	fmt.Println(reflect.TypeOf(Pair[int, int]{}) == reflect.TypeOf(Pair[int, int]{}), any(Pair[int, int]{}) == any(Pair[int, int32]{}))
}
