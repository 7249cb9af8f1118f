// run
// SPDX-License-Identifier: MIT

// Type switches and assertions whose types are parameters: two cases may turn
// out to be of one type, and the first one counts.
package main

import (
	"errors"
	"fmt"
	"io/fs"
)

func kind[T any](x any) string {
	switch v := x.(type) {
	case nil:
		return "nil"
	case T:
		return fmt.Sprintf("T=%T", v)
	case int:
		return fmt.Sprint("int ", v+1)
	case *T, []T:
		return fmt.Sprintf("*T or []T: %T", v)
	case map[string]T:
		return fmt.Sprint("map ", len(v))
	case func(T) T:
		return "func"
	case interface{ Get() T }:
		return fmt.Sprint("Get ", v.Get())
	case string, error:
		return fmt.Sprintf("%T", v)
	default:
		return fmt.Sprintf("default %T", v)
	}
}

func two[A, B any](x any) string {
	switch x.(type) {
	case A:
		return "A"
	case B:
		return "B"
	}
	return "none"
}

// The order of cases counts with interfaces, too.
func inner[T any](t T) string {
	switch any(t).(type) {
	case error:
		return "error"
	case fmt.Stringer:
		return "Stringer"
	case int, uint:
		return "whole"
	case float64:
		return "float"
	}
	return "other"
}

func as[T any](x any) (T, bool) {
	t, ok := x.(T)
	return t, ok
}

func must[T any](x any) (t T, msg any) {
	defer func() { msg = recover() }()
	return x.(T), nil
}

type box[T any] struct{ v T }

func (b box[T]) Get() T { return b.v }

type str string

func (s str) String() string { return string(s) }

func find[E error](err error) (e E, ok bool) {
	ok = errors.As(err, &e)
	return
}

func main() {
	for _, x := range []any{nil, 1, "s", new(string), []string{}, map[string]string{"a": "b"},
		func(s string) string { return s }, box[string]{"b"}, box[int]{2}, errors.New("e"), 2.5} {
		fmt.Println(kind[string](x), "|", kind[int](x), "|", kind[any](x), "|", kind[error](x))
	}
	fmt.Println(two[int, int](1), two[string, int](1), two[any, int](1), two[int, any](""), two[int, string](nil))
	fmt.Println(inner(1), inner(2.5), inner(str("x")), inner(errors.New("e")), inner[any](uint(1)), inner[error](nil), inner("s"))
	fmt.Println(as[int](1))
	fmt.Println(as[string](1))
	fmt.Println(as[fmt.Stringer](str("x")))
	fmt.Println(as[error](nil))
	fmt.Println(must[int]("x"))
	fmt.Println(must[box[int]](box[string]{}))
	fmt.Println(must[fmt.Stringer](1))
	fmt.Println(must[any](nil))
	fmt.Println(must[interface{ Get() int }](box[string]{}))
	p, ok := find[*fs.PathError](fmt.Errorf("wrapped: %w", &fs.PathError{Op: "open", Path: "f", Err: fs.ErrNotExist}))
	fmt.Println(p, ok)
}
