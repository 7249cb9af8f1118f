// SPDX-License-Identifier: MIT

//go:build !go1.21

// Package slog is structured logging, for trees of Go's sources that are older
// than Go's own form of it.
package slog

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A Kind says what a Value holds.
type Kind int

const (
	KindAny Kind = iota
	KindBool
	KindDuration
	KindFloat64
	KindInt64
	KindString
	KindTime
	KindUint64
	KindGroup
	KindLogValuer
)

var kindNames = [...]string{"Any", "Bool", "Duration", "Float64", "Int64",
	"String", "Time", "Uint64", "Group", "LogValuer"}

func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return "<unknown slog.Kind>"
	}
	return kindNames[k]
}

// A Value is what an attribute says. The zero Value is nil, of KindAny.
type Value struct {
	_    [0]func() // cannot be compared by ==
	kind Kind
	bits uint64 // of a number, a bool, a duration
	ref  any    // of any other kind: string, time.Time, []Attr, LogValuer, any
}

// A LogValuer makes its own Value when it is logged.
type LogValuer interface {
	LogValue() Value
}

func StringValue(value string) Value { return Value{kind: KindString, ref: value} }

func IntValue(v int) Value { return Int64Value(int64(v)) }

func Int64Value(v int64) Value { return Value{kind: KindInt64, bits: uint64(v)} }

func Uint64Value(v uint64) Value { return Value{kind: KindUint64, bits: v} }

func Float64Value(v float64) Value {
	return Value{kind: KindFloat64, bits: math.Float64bits(v)}
}

func BoolValue(v bool) Value {
	if v {
		return Value{kind: KindBool, bits: 1}
	}
	return Value{kind: KindBool}
}

func DurationValue(v time.Duration) Value {
	return Value{kind: KindDuration, bits: uint64(v)}
}

// TimeValue holds a time without its monotonic clock.
func TimeValue(v time.Time) Value {
	if v.IsZero() {
		v = time.Time{}
	}
	return Value{kind: KindTime, ref: v.Round(0)}
}

// GroupValue holds attributes, but for groups that are empty. The list is the
// caller's if there are none of these.
func GroupValue(as ...Attr) Value {
	return Value{kind: KindGroup, ref: withoutEmpty(as)}
}

func withoutEmpty(as []Attr) []Attr {
	n := 0
	for i := range as {
		if as[i].Value.isEmptyGroup() {
			n++
		}
	}
	if n == 0 {
		return as
	}
	left := make([]Attr, 0, len(as)-n)
	for _, a := range as {
		if !a.Value.isEmptyGroup() {
			left = append(left, a)
		}
	}
	return left
}

// AnyValue holds v by the Kind that its type has, if there is one.
func AnyValue(v any) Value {
	switch x := v.(type) {
	case string:
		return StringValue(x)
	case bool:
		return BoolValue(x)
	case int:
		return Int64Value(int64(x))
	case int8:
		return Int64Value(int64(x))
	case int16:
		return Int64Value(int64(x))
	case int32:
		return Int64Value(int64(x))
	case int64:
		return Int64Value(x)
	case uint:
		return Uint64Value(uint64(x))
	case uint8:
		return Uint64Value(uint64(x))
	case uint16:
		return Uint64Value(uint64(x))
	case uint32:
		return Uint64Value(uint64(x))
	case uint64:
		return Uint64Value(x)
	case uintptr:
		return Uint64Value(uint64(x))
	case float32:
		return Float64Value(float64(x))
	case float64:
		return Float64Value(x)
	case time.Duration:
		return DurationValue(x)
	case time.Time:
		return TimeValue(x)
	case []Attr:
		return GroupValue(x...)
	case Value:
		return x
	case Kind: // before LogValuer: whatever methods Kind will have
		return Value{ref: x}
	case LogValuer:
		return Value{kind: KindLogValuer, ref: x}
	}
	return Value{ref: v}
}

func (v Value) Kind() Kind { return v.kind }

// Any returns the value as its own type.
func (v Value) Any() any {
	switch v.kind {
	case KindBool:
		return v.bits == 1
	case KindDuration:
		return time.Duration(v.bits)
	case KindFloat64:
		return math.Float64frombits(v.bits)
	case KindInt64:
		return int64(v.bits)
	case KindUint64:
		return v.bits
	}
	return v.ref
}

// must panics if the value is of another kind.
func (v Value) must(want Kind) {
	if v.kind != want {
		panic(fmt.Sprintf("Value kind is %s, not %s", v.kind, want))
	}
}

func (v Value) Bool() bool {
	v.must(KindBool)
	return v.bits == 1
}

func (v Value) Duration() time.Duration {
	v.must(KindDuration)
	return time.Duration(v.bits)
}

func (v Value) Float64() float64 {
	v.must(KindFloat64)
	return math.Float64frombits(v.bits)
}

func (v Value) Int64() int64 {
	v.must(KindInt64)
	return int64(v.bits)
}

func (v Value) Uint64() uint64 {
	v.must(KindUint64)
	return v.bits
}

func (v Value) Time() time.Time {
	v.must(KindTime)
	return v.ref.(time.Time)
}

func (v Value) LogValuer() LogValuer { return v.ref.(LogValuer) }

// Group returns the attributes of a group, which are not a copy.
func (v Value) Group() []Attr {
	if v.kind != KindGroup {
		panic("Group: bad kind")
	}
	return v.ref.([]Attr)
}

func (v Value) isEmptyGroup() bool {
	return v.kind == KindGroup && len(v.ref.([]Attr)) == 0
}

// Equal says whether v and w hold the same. It panics where two values of
// KindAny or KindLogValuer cannot be compared.
func (v Value) Equal(w Value) bool {
	if v.kind != w.kind {
		return false
	}
	switch v.kind {
	case KindFloat64:
		return v.Float64() == w.Float64()
	case KindTime:
		return v.Time().Equal(w.Time())
	case KindGroup:
		a, b := v.Group(), w.Group()
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if !a[i].Equal(b[i]) {
				return false
			}
		}
		return true
	}
	return v.bits == w.bits && v.ref == w.ref
}

// String formats any value as fmt.Sprint formats what it holds.
func (v Value) String() string {
	if v.kind == KindString {
		return v.ref.(string)
	}
	return string(v.appendTo(nil))
}

func (v Value) appendTo(b []byte) []byte {
	switch v.kind {
	case KindBool:
		return strconv.AppendBool(b, v.bits == 1)
	case KindDuration:
		return append(b, v.Duration().String()...)
	case KindFloat64:
		return strconv.AppendFloat(b, v.Float64(), 'g', -1, 64)
	case KindInt64:
		return strconv.AppendInt(b, v.Int64(), 10)
	case KindUint64:
		return strconv.AppendUint(b, v.bits, 10)
	case KindString:
		return append(b, v.ref.(string)...)
	case KindTime:
		return append(b, v.Time().String()...)
	}
	if k, ok := v.ref.(Kind); ok {
		return strconv.AppendInt(b, int64(k), 10) // as Go's form, which hides its type
	}
	return fmt.Append(b, v.ref)
}

// Resolve asks a LogValuer for its value, and the one that comes of it, until
// there is none. One that panics, or that never comes to an end, is an error
// as a value.
func (v Value) Resolve() (rv Value) {
	const limit = 100
	defer func() {
		if recover() != nil {
			rv = AnyValue(fmt.Errorf("LogValue panicked\n%s", callers(3, 5)))
		}
	}()
	rv = v
	for i := 0; i < limit; i++ {
		if rv.kind != KindLogValuer {
			return rv
		}
		rv = rv.LogValuer().LogValue()
	}
	return AnyValue(fmt.Errorf("LogValue called too many times on Value of type %T",
		v.Any()))
}

// callers writes at most n lines about who called.
func callers(skip, n int) string {
	pcs := make([]uintptr, n+1)
	pcs = pcs[:runtime.Callers(skip+1, pcs)]
	if len(pcs) == 0 {
		return "(no stack)"
	}
	var b strings.Builder
	frames := runtime.CallersFrames(pcs)
	for more := true; more; n-- {
		var f runtime.Frame
		if f, more = frames.Next(); n == 0 {
			b.WriteString("(rest of stack elided)\n")
			break
		}
		fmt.Fprintf(&b, "called from %s (%s:%d)\n", f.Function, f.File, f.Line)
	}
	return b.String()
}
