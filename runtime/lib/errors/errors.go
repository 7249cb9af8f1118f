// SPDX-License-Identifier: MIT

// Package errors makes errors and looks into chains of them.
package errors

import (
	"internal/rt"
	"unsafe"
)

type errorString struct{ s string }

func (e *errorString) Error() string { return e.s }

// New returns an error with the given text, different from every other.
func New(text string) error { return &errorString{text} }

// ErrUnsupported says that an operation cannot be done because it is not
// supported.
var ErrUnsupported = New("unsupported operation")

// Unwrap calls the Unwrap method of err that returns one error, if any.
func Unwrap(err error) error {
	u, ok := err.(interface{ Unwrap() error })
	if !ok {
		return nil
	}
	return u.Unwrap()
}

type joinError struct{ errs []error }

// Join wraps the errors that are not nil; it is nil if none is left.
func Join(errs ...error) error {
	n := 0
	for _, err := range errs {
		if err != nil {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	e := &joinError{make([]error, 0, n)}
	for _, err := range errs {
		if err != nil {
			e.errs = append(e.errs, err)
		}
	}
	return e
}

func (e *joinError) Error() string {
	var b []byte
	for i, err := range e.errs {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, err.Error()...)
	}
	return string(b)
}

func (e *joinError) Unwrap() []error { return e.errs }

// Is reports whether err or an error that it wraps equals target, or says so
// by a method Is(error) bool.
func Is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	return is(err, target, rt.Comparable(rt.TypeOf(target)))
}

func is(err, target error, comparable bool) bool {
	for err != nil {
		if comparable && err == target {
			return true
		}
		if x, ok := err.(interface{ Is(error) bool }); ok && x.Is(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if is(e, target, comparable) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// As finds the first error in err's tree that is assignable to what target
// points to, stores it there and returns true.
func As(err error, target any) bool {
	if err == nil {
		return false
	}
	if target == nil {
		panic("errors: target cannot be nil")
	}
	pt := rt.TypeOf(target)
	if rt.KindOf(pt) != rt.Pointer {
		panic("errors: target must be a non-nil pointer")
	}
	dst := *(*unsafe.Pointer)(rt.Addr(target))
	if dst == nil {
		panic("errors: target must be a non-nil pointer")
	}
	t := rt.Elem(pt)
	var e error
	if rt.KindOf(t) != rt.Interface &&
		!rt.Implements(t, rt.Elem(rt.TypeOf(&e))) {
		panic("errors: *target must be interface or implement error")
	}
	return as(err, target, t, dst)
}

func as(err error, target any, t rt.Type, dst unsafe.Pointer) bool {
	for err != nil {
		et := rt.TypeOf(err)
		if et == t {
			rt.Copy(t, dst, rt.Addr(err))
			return true
		}
		if rt.KindOf(t) == rt.Interface && rt.Implements(et, t) {
			rt.SetIface(t, dst, err)
			return true
		}
		if x, ok := err.(interface{ As(any) bool }); ok && x.As(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if e != nil && as(e, target, t, dst) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// AsType finds the first error in err's tree that is an E, or says that it is
// one by its method As.
func AsType[E error](err error) (E, bool) {
	for err != nil {
		if e, ok := err.(E); ok {
			return e, true
		}
		if x, ok := err.(interface{ As(any) bool }); ok {
			var e E
			if x.As(&e) {
				return e, true
			}
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, inner := range x.Unwrap() {
				if e, ok := AsType[E](inner); ok {
					return e, true
				}
			}
			err = nil
		default:
			err = nil
		}
	}
	var none E
	return none, false
}
