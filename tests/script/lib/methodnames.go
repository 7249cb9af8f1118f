// run

// What functions made of methods are called: by the type that they were taken
// from, and closures over a receiver by the method.
package main

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

type T struct{}

func (T) V()  {}
func (*T) P() {}

type E struct{ T }
type EP struct{ *T }
type I interface{ V() }
type J interface{ I }
type A[X any] struct{ x X }

func (A[X]) M()  {}
func (*A[X]) N() {}

func name(f any) string { return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name() }

func main() {
	t := &T{}
	var i I = t
	var j J = t
	e, ep := &E{}, &EP{t}
	a := &A[int]{}
	fmt.Println(name(t.V), name(t.P), name(i.V), name(T.V), name((*T).P), name((*T).V), name(I.V), name(j.V), name(J.V))
	fmt.Println(name(e.V), name(e.P), name(ep.V), name(ep.P), name(E.V), name((*E).V), name((*E).P), name(EP.P), name((*EP).V))
	fmt.Println(name(a.M), name(a.N), name(A[int].M), name((*A[int]).N), name((*A[int]).M))
	var b strings.Builder
	fmt.Println(name(b.Len), name(fmt.Stringer.String))
}
