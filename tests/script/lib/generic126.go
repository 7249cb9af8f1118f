// run
// SPDX-License-Identifier: MIT

// Generic functions of packages that are not: TypeFor, TypeAssert, OnceValue,
// OnceValues, AsType.

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"sync"
)

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("%s: %v\n", name, r)
		}
	}()
	f()
}

type code int

func (c code) Error() string { return fmt.Sprint("code ", int(c)) }

type other struct{ text string }

func (o *other) Error() string { return o.text }

// asCode is a code only to those who ask.
type asCode struct{}

func (asCode) Error() string { return "as code" }
func (asCode) As(target any) bool {
	c, ok := target.(*code)
	if ok {
		*c = 77
	}
	return ok
}

type list []error

func (l list) Error() string   { return "list" }
func (l list) Unwrap() []error { return l }

type holder struct{ hidden, Shown any }

func main() {
	names()
	fmt.Println(reflect.TypeFor[int](), reflect.TypeFor[error](), reflect.TypeFor[map[string]*code](),
		reflect.TypeFor[struct{ A int }](), reflect.TypeFor[error]() == reflect.TypeOf((*error)(nil)).Elem())

	n, ok := reflect.TypeAssert[int](reflect.ValueOf(3))
	fmt.Println(n, ok)
	s, ok := reflect.TypeAssert[string](reflect.ValueOf(3))
	fmt.Printf("%q %v\n", s, ok)
	e, ok := reflect.TypeAssert[error](reflect.ValueOf(code(4)))
	fmt.Println(e, ok)
	_, ok = reflect.TypeAssert[fmt.Stringer](reflect.ValueOf(code(4)))
	fmt.Println(ok)
	h := holder{1, code(5)}
	v := reflect.ValueOf(&h).Elem()
	c, ok := reflect.TypeAssert[code](v.Field(1))
	fmt.Println(c, ok)
	a, ok := reflect.TypeAssert[any](reflect.ValueOf(new(error)).Elem())
	fmt.Println(a, ok)
	f, ok := reflect.TypeAssert[func() string](reflect.ValueOf(code(6)).MethodByName("Error"))
	fmt.Println(f(), ok)
	try("hidden", func() { reflect.TypeAssert[any](v.Field(0)) })
	try("invalid", func() { reflect.TypeAssert[any](reflect.Value{}) })

	calls := 0
	once := sync.OnceValue(func() string { calls++; return "value" })
	fmt.Println(once(), once(), calls)
	two := sync.OnceValues(func() (int, error) { calls++; return calls, io.EOF })
	fmt.Println(two())
	fmt.Println(two())
	bad := sync.OnceValue(func() int { calls++; panic(fmt.Sprint("panic ", calls)) })
	try("once", func() { bad() })
	try("again", func() { bad() })

	wrapped := fmt.Errorf("a: %w", fmt.Errorf("b: %w", code(1)))
	fmt.Println(errors.AsType[code](wrapped))
	fmt.Println(errors.AsType[*other](wrapped))
	fmt.Println(errors.AsType[code](list{io.EOF, &other{"x"}, fmt.Errorf("%w", code(2)), code(3)}))
	fmt.Println(errors.AsType[code](errors.Join(io.EOF, asCode{})))
	fmt.Println(errors.AsType[interface {
		error
		As(any) bool
	}](asCode{}))
	_, err := os.Open("/nonexistent")
	p, ok := errors.AsType[*fs.PathError](err)
	fmt.Println(p.Op, ok)
	_, ok = errors.AsType[error](nil)
	fmt.Println(ok)
}

type box[T any] struct{ x T }

func names() {
	for _, x := range []any{box[int]{}, box[box[code]]{}, &box[map[string]error]{}} {
		t := reflect.TypeOf(x)
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		fmt.Println(t, t.Name(), t.PkgPath())
	}
}
