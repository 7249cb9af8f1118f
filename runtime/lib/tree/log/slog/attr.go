// SPDX-License-Identifier: MIT

//go:build !go1.21

package slog

import "time"

// An Attr is a value with a name.
type Attr struct {
	Key   string
	Value Value
}

func String(key, value string) Attr { return Attr{key, StringValue(value)} }

func Int64(key string, value int64) Attr { return Attr{key, Int64Value(value)} }

func Int(key string, value int) Attr { return Attr{key, IntValue(value)} }

func Uint64(key string, v uint64) Attr { return Attr{key, Uint64Value(v)} }

func Float64(key string, v float64) Attr { return Attr{key, Float64Value(v)} }

func Bool(key string, v bool) Attr { return Attr{key, BoolValue(v)} }

func Time(key string, v time.Time) Attr { return Attr{key, TimeValue(v)} }

func Duration(key string, v time.Duration) Attr { return Attr{key, DurationValue(v)} }

func Any(key string, value any) Attr { return Attr{key, AnyValue(value)} }

// Group is an attribute of attributes, which args gives as for Logger.Log.
func Group(key string, args ...any) Attr {
	return Attr{key, GroupValue(attrsOf(args)...)}
}

func GroupAttrs(key string, attrs ...Attr) Attr {
	return Attr{key, GroupValue(attrs...)}
}

func (a Attr) Equal(b Attr) bool { return a.Key == b.Key && a.Value.Equal(b.Value) }

func (a Attr) String() string { return a.Key + "=" + a.Value.String() }

// isEmpty says whether a is the zero Attr, which handlers leave out.
func (a Attr) isEmpty() bool {
	return a.Key == "" && a.Value.kind == KindAny && a.Value.ref == nil
}

const badKey = "!BADKEY"

// nextAttr takes an attribute off the front of args: an Attr, or a string and
// what follows it.
func nextAttr(args []any) (Attr, []any) {
	switch x := args[0].(type) {
	case Attr:
		return x, args[1:]
	case string:
		if len(args) > 1 {
			return Any(x, args[1]), args[2:]
		}
	}
	return Any(badKey, args[0]), args[1:]
}

func attrsOf(args []any) (as []Attr) {
	for len(args) > 0 {
		var a Attr
		a, args = nextAttr(args)
		as = append(as, a)
	}
	return as
}
