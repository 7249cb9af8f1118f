// SPDX-License-Identifier: MIT

package flag

import (
	"encoding"
	"errors"
	"fmt"
	"internal/rt"
	"strconv"
	"time"
	"unsafe"
)

// A Value is what a flag sets. One with IsBoolFlag() true may stand without
// a value on the command line.
type Value interface {
	String() string
	Set(string) error
}

// A Getter hands its value out.
type Getter interface {
	Value
	Get() any
}

type boolFlag interface {
	Value
	IsBoolFlag() bool
}

func isBool(v Value) bool {
	b, ok := v.(boolFlag)
	return ok && b.IsBoolFlag()
}

var (
	errParse = errors.New("parse error")
	errRange = errors.New("value out of range")
)

// shorter replaces strconv's errors by the two above.
func shorter(err error) error {
	if ne, ok := err.(*strconv.NumError); ok {
		switch ne.Err {
		case strconv.ErrSyntax:
			return errParse
		case strconv.ErrRange:
			return errRange
		}
	}
	return err
}

type boolValue bool

func (b *boolValue) Set(s string) error {
	v, err := strconv.ParseBool(s)
	if err != nil {
		err = errParse
	}
	*b = boolValue(v)
	return err
}
func (b *boolValue) Get() any         { return bool(*b) }
func (b *boolValue) String() string   { return strconv.FormatBool(bool(*b)) }
func (b *boolValue) IsBoolFlag() bool { return true }

type intValue int

func (i *intValue) Set(s string) error {
	v, err := strconv.ParseInt(s, 0, strconv.IntSize)
	*i = intValue(v)
	return shorter(err)
}
func (i *intValue) Get() any       { return int(*i) }
func (i *intValue) String() string { return strconv.Itoa(int(*i)) }

type int64Value int64

func (i *int64Value) Set(s string) error {
	v, err := strconv.ParseInt(s, 0, 64)
	*i = int64Value(v)
	return shorter(err)
}
func (i *int64Value) Get() any       { return int64(*i) }
func (i *int64Value) String() string { return strconv.FormatInt(int64(*i), 10) }

type uintValue uint

func (i *uintValue) Set(s string) error {
	v, err := strconv.ParseUint(s, 0, strconv.IntSize)
	*i = uintValue(v)
	return shorter(err)
}
func (i *uintValue) Get() any       { return uint(*i) }
func (i *uintValue) String() string { return strconv.FormatUint(uint64(*i), 10) }

type uint64Value uint64

func (i *uint64Value) Set(s string) error {
	v, err := strconv.ParseUint(s, 0, 64)
	*i = uint64Value(v)
	return shorter(err)
}
func (i *uint64Value) Get() any       { return uint64(*i) }
func (i *uint64Value) String() string { return strconv.FormatUint(uint64(*i), 10) }

type stringValue string

func (s *stringValue) Set(v string) error {
	*s = stringValue(v)
	return nil
}
func (s *stringValue) Get() any       { return string(*s) }
func (s *stringValue) String() string { return string(*s) }

type float64Value float64

func (f *float64Value) Set(s string) error {
	v, err := strconv.ParseFloat(s, 64)
	*f = float64Value(v)
	return shorter(err)
}
func (f *float64Value) Get() any       { return float64(*f) }
func (f *float64Value) String() string { return strconv.FormatFloat(float64(*f), 'g', -1, 64) }

type durationValue time.Duration

func (d *durationValue) Set(s string) error {
	v, err := time.ParseDuration(s)
	if err != nil {
		err = errParse
	}
	*d = durationValue(v)
	return err
}
func (d *durationValue) Get() any       { return time.Duration(*d) }
func (d *durationValue) String() string { return time.Duration(*d).String() }

// A textValue is a variable that reads and writes text itself.
type textValue struct{ p encoding.TextUnmarshaler }

// newTextValue stores the default val in the variable that p points to.
func newTextValue(val encoding.TextMarshaler, p encoding.TextUnmarshaler) textValue {
	t := rt.TypeOf(p)
	if rt.KindOf(t) != rt.Pointer {
		panic("variable value type must be a pointer")
	}
	vt, vp := rt.TypeOf(val), rt.Addr(val)
	if rt.KindOf(vt) == rt.Pointer {
		vt, vp = rt.Elem(vt), *(*unsafe.Pointer)(vp)
	}
	if vt != rt.Elem(t) {
		panic(fmt.Sprintf("default type does not match variable type: %v != %v",
			rt.TypeString(vt), rt.TypeString(rt.Elem(t))))
	}
	rt.Copy(vt, *(*unsafe.Pointer)(rt.Addr(p)), vp)
	return textValue{p}
}

func (v textValue) Set(s string) error { return v.p.UnmarshalText([]byte(s)) }
func (v textValue) Get() any           { return v.p }

func (v textValue) String() string {
	if m, ok := v.p.(encoding.TextMarshaler); ok {
		if b, err := m.MarshalText(); err == nil {
			return string(b)
		}
	}
	return ""
}

// A funcValue calls the function for each appearance of the flag.
type funcValue func(string) error

func (f funcValue) Set(s string) error { return f(s) }
func (f funcValue) String() string     { return "" }

// A boolFuncValue is a funcValue that needs no value.
type boolFuncValue func(string) error

func (f boolFuncValue) Set(s string) error { return f(s) }
func (f boolFuncValue) String() string     { return "" }
func (f boolFuncValue) IsBoolFlag() bool   { return true }

// zeroText is what String of a zero Value of v's type returns.
func zeroText(v Value) (text string, panicked any) {
	defer func() { panicked = recover() }()
	t := rt.TypeOf(v)
	cell := rt.New(t, 1)
	if rt.KindOf(t) == rt.Pointer {
		*(*unsafe.Pointer)(cell) = rt.New(rt.Elem(t), 1)
	}
	return rt.Make(t, cell).(Value).String(), nil
}

// isZero reports whether the text of a flag's default is that of the zero
// value of its type.
func isZero(f *Flag, value string) (bool, error) {
	text, p := zeroText(f.Value)
	if p != nil {
		t := rt.TypeOf(f.Value)
		if rt.KindOf(t) == rt.Pointer {
			t = rt.Elem(t)
		}
		return false, fmt.Errorf("panic calling String method on zero %v for flag %s: %v",
			rt.TypeString(t), f.Name, p)
	}
	return value == text, nil
}
