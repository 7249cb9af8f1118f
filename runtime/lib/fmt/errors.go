// SPDX-License-Identifier: MIT

package fmt

import "errors"

type wrapError struct {
	msg string
	err error
}

func (e *wrapError) Error() string { return e.msg }

func (e *wrapError) Unwrap() error { return e.err }

type wrapErrors struct {
	msg  string
	errs []error
}

func (e *wrapErrors) Error() string { return e.msg }

func (e *wrapErrors) Unwrap() []error { return e.errs }

// Errorf makes an error with a formatted text; it wraps the operands of %w.
func Errorf(format string, a ...any) error {
	p := newPrinter()
	p.wrapErrs = true
	p.printf(format, a)
	s := string(p.buf)
	wrapped := p.wrapped
	reordered := p.reordered
	p.release()
	switch len(wrapped) {
	case 0:
		return errors.New(s)
	case 1:
		e, _ := a[wrapped[0]].(error)
		return &wrapError{s, e}
	}
	if reordered {
		sortInts(wrapped)
	}
	var errs []error
	for i, n := range wrapped {
		if i > 0 && wrapped[i-1] == n {
			continue
		}
		if e, ok := a[n].(error); ok {
			errs = append(errs, e)
		}
	}
	return &wrapErrors{s, errs}
}

func sortInts(a []int) {
	for i := 1; i < len(a); i++ {
		for k := i; k > 0 && a[k] < a[k-1]; k-- {
			a[k], a[k-1] = a[k-1], a[k]
		}
	}
}
