// run
// SPDX-License-Identifier: MIT

// Package errors: wrapping, Is, As, Join, sentinel values.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

type codeErr struct {
	code int
	err  error
}

func (c *codeErr) Error() string { return fmt.Sprintf("code %d: %v", c.code, c.err) }
func (c *codeErr) Unwrap() error { return c.err }

type kind int

func (k kind) Error() string        { return fmt.Sprint("kind ", int(k)) }
func (k kind) Is(target error) bool { return target == errFamily }

var errFamily = errors.New("family")

type temp interface{ Temporary() bool }
type tempErr struct{}

func (tempErr) Error() string   { return "temp" }
func (tempErr) Temporary() bool { return true }

type asErr struct{}

func (asErr) Error() string { return "as" }
func (asErr) As(t any) bool {
	if k, ok := t.(*kind); ok {
		*k = 77
		return true
	}
	return false
}

func open(name string) error {
	_, err := os.Open(name)
	return err
}

func main() {
	base := errors.New("base")
	same := errors.New("base")
	fmt.Println(base == same, errors.Is(base, base), errors.Is(base, same))
	w1 := fmt.Errorf("w1: %w", base)
	w2 := &codeErr{3, w1}
	w3 := fmt.Errorf("w3: %w", w2)
	fmt.Println(w3)
	fmt.Println(errors.Is(w3, base), errors.Is(w3, w2), errors.Is(w3, io.EOF), errors.Is(nil, base), errors.Is(w3, nil), errors.Is(nil, nil))
	var ce *codeErr
	fmt.Println(errors.As(w3, &ce), ce.code, errors.As(base, &ce))
	fmt.Println(errors.Unwrap(w3) == error(w2), errors.Unwrap(errors.Unwrap(w2)) == base, errors.Unwrap(base))
	nw := fmt.Errorf("no wrap: %v", base)
	fmt.Println(errors.Is(nw, base), errors.Unwrap(nw))
	j := errors.Join(w1, nil, kind(4), tempErr{})
	fmt.Println(j)
	fmt.Println(errors.Is(j, base), errors.Is(j, errFamily), errors.Join(nil, nil) == nil)
	var t temp
	var k kind
	fmt.Println(errors.As(j, &t), t.Temporary(), errors.As(j, &k), k)
	fmt.Println(errors.As(fmt.Errorf("x %w", asErr{}), &k), k)
	m := fmt.Errorf("%w + %w", base, kind(2))
	fmt.Println(m, errors.Is(m, base), errors.Is(m, errFamily), errors.Unwrap(m))
	if u, ok := m.(interface{ Unwrap() []error }); ok {
		fmt.Println(len(u.Unwrap()))
	}
	err := open("/does/not/exist")
	var pe *os.PathError
	fmt.Println(err, errors.Is(err, os.ErrNotExist), errors.As(err, &pe), os.IsNotExist(err))
	fmt.Println(pe.Op, pe.Path, pe.Err)
	_, err = strconv.Atoi("12x")
	var ne *strconv.NumError
	fmt.Println(err, errors.Is(err, strconv.ErrSyntax), errors.As(err, &ne), ne.Func, ne.Num)
	_, err = strconv.ParseInt("999", 10, 8)
	fmt.Println(err, errors.Is(err, strconv.ErrRange))
	func() {
		defer func() { fmt.Println(recover()) }()
		errors.As(base, nil)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var s string
		errors.As(base, s)
	}()
	func() {
		defer func() {
			r := recover()
			e, ok := r.(error)
			fmt.Println(ok, e)
		}()
		var a []int
		_ = a[5]
	}()
}
