// run
// SPDX-License-Identifier: MIT

// Who may recover when reflect stands between a deferred call and a function.

package main

import (
	"fmt"
	"reflect"
)

type T struct{ name string }

func (t T) Value()    { fmt.Println("value", t.name, recover()) }
func (t *T) Pointer() { fmt.Println("pointer", t.name, recover()) }

func (t *T) Deeper() {
	func() { fmt.Println("deeper", recover()) }()
}

func outer(what string, deferred func()) {
	defer func() { fmt.Println(what, "left:", recover()) }()
	defer deferred()
	panic("p")
}

func main() {
	t := &T{"t"}
	v := reflect.ValueOf(t)
	for _, name := range []string{"Pointer", "Value", "Deeper"} {
		outer("bound "+name, v.MethodByName(name).Interface().(func()))
		m, _ := v.Type().MethodByName(name)
		f := m.Func.Interface().(func(*T))
		func() {
			defer func() { fmt.Println("left:", recover()) }()
			defer f(t)
			panic("q")
		}()
	}
	g := reflect.TypeOf(T{}).Method(0).Func.Interface().(func(T))
	func() {
		defer func() { fmt.Println("left:", recover()) }()
		defer g(T{"u"})
		panic("r")
	}()
	outer("made", reflect.MakeFunc(reflect.TypeOf(func() {}), func([]reflect.Value) []reflect.Value {
		fmt.Println("made", recover())
		return nil
	}).Interface().(func()))
	outer("called", func() { reflect.ValueOf(func() { fmt.Println("called", recover()) }).Call(nil) })
	func() {
		defer func() { fmt.Println("left:", recover()) }()
		defer reflect.ValueOf(func() { fmt.Println("call", recover()) }).Call(nil)
		panic("s")
	}()
	// In a panic of its own.
	outer("again", reflect.MakeFunc(reflect.TypeOf(func() {}), func([]reflect.Value) []reflect.Value {
		defer v.MethodByName("Pointer").Interface().(func())()
		panic("inner")
	}).Interface().(func()))
}
