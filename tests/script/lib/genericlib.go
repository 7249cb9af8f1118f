// run
// SPDX-License-Identifier: MIT

// Generic parts of packages that are old: sync, sync/atomic, errors, reflect,
// cmp, and the built-in min, max and clear on parameters.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"sync"
	"sync/atomic"
	"weak"
)

type code int

func (c code) Error() string { return fmt.Sprint("code ", int(c)) }

type custom struct{ as code }

func (c custom) Error() string { return "custom" }
func (c custom) As(target any) bool {
	if p, ok := target.(*code); ok {
		*p = c.as
		return true
	}
	return false
}

func try(f func()) {
	defer func() { fmt.Println("recovered", recover()) }()
	f()
}

func once() {
	n := 0
	f := sync.OnceValue(func() int { n++; return n * 10 })
	fmt.Println(f(), f(), n)
	g := sync.OnceValues(func() (string, error) { n++; return "g", code(n) })
	fmt.Println(g())
	fmt.Println(g())
	p := sync.OnceValue(func() string { n++; panic(fmt.Sprint("once ", n)) })
	try(func() { p() })
	try(func() { p() })
	var wg sync.WaitGroup
	var sum atomic.Int64
	h := sync.OnceValue(func() int64 { return sum.Add(1) })
	for range 8 {
		wg.Add(1)
		go func() { defer wg.Done(); sum.Add(h() * 100) }()
	}
	wg.Wait()
	fmt.Println(sum.Load())
}

type config struct{ name string }

func pointers() {
	var p atomic.Pointer[config]
	fmt.Println(p.Load() == nil, p.CompareAndSwap(nil, &config{"a"}), p.Load().name)
	old := p.Swap(&config{"b"})
	fmt.Println(old.name, p.CompareAndSwap(old, nil), p.Load().name)
	p.Store(old)
	fmt.Println(p.Load() == old)
	w := weak.Make(old)
	fmt.Println(w.Value() == old, w == weak.Make(old), weak.Make[int](nil).Value() == nil)
	fmt.Printf("%T %T\n", &p, w)
}

func errs() {
	err := fmt.Errorf("a: %w", errors.Join(errors.New("b"), fmt.Errorf("c: %w", code(7))))
	fmt.Println(errors.AsType[code](err))
	fmt.Println(errors.AsType[*fs.PathError](err))
	fmt.Println(errors.AsType[code](custom{9}))
	fmt.Println(errors.AsType[code](nil))
	e, ok := errors.AsType[interface {
		error
		As(any) bool
	}](fmt.Errorf("%w", custom{1}))
	fmt.Println(e, ok)
}

func types() {
	fmt.Println(reflect.TypeFor[int](), reflect.TypeFor[error](), reflect.TypeFor[map[string]config](), reflect.TypeFor[any]())
	fmt.Println(reflect.TypeAssert[int](reflect.ValueOf(3)))
	fmt.Println(reflect.TypeAssert[string](reflect.ValueOf(3)))
	fmt.Println(reflect.TypeAssert[error](reflect.ValueOf(code(2))))
	try(func() { reflect.TypeAssert[int](reflect.Value{}) })
}

func least[T cmp.Ordered](a, b, c T) (T, T) { return min(a, b, c), max(a, b, c) }

func wipe[M ~map[K]V, K comparable, V any](m M) int { clear(m); return len(m) }
func zero[S ~[]E, E any](s S) S                     { clear(s); return s }

func main() {
	once()
	pointers()
	errs()
	types()
	nan := math.NaN()
	fmt.Println(cmp.Compare(1, 2), cmp.Compare("b", "a"), cmp.Compare(nan, 1), cmp.Compare(1, nan), cmp.Compare(nan, nan), cmp.Compare(0.0, math.Copysign(0, -1)))
	fmt.Println(cmp.Less(nan, math.Inf(-1)), cmp.Less(1, nan), cmp.Less("a", "b"), cmp.Or(0, 3, 4), cmp.Or("", ""), cmp.Or[error](nil, code(1)))
	fmt.Println(least(3, 1, 2))
	fmt.Println(least("b", "c", "a"))
	fmt.Println(least(1, nan, 2))
	fmt.Println(wipe(map[float64]int{nan: 1, 2: 2}), zero([]code{1, 2}))
}
