// SPDX-License-Identifier: MIT

//go:build !go1.21

package slog

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// A form is what TextHandler and JSONHandler have in common: how events become
// lines. Attributes that were given beforehand have been written into done.
// A group is opened by the first attribute in it that is written, so that none
// is empty; the first `open` of groups are open at the end of done.
type form struct {
	json   bool
	opts   HandlerOptions
	done   []byte
	groups []string
	open   int
	prefix string // of keys in text, for the groups that are open
	to     *lockedWriter
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func newForm(w io.Writer, opts *HandlerOptions, json bool) *form {
	f := &form{json: json, to: &lockedWriter{w: w}}
	if opts != nil {
		f.opts = *opts
	}
	return f
}

func (f *form) enabled(level Level) bool {
	least := LevelInfo
	if f.opts.Level != nil {
		least = f.opts.Level.Level()
	}
	return level >= least
}

func (f *form) withGroup(name string) *form {
	g := *f
	g.groups = append(f.groups[:len(f.groups):len(f.groups)], name)
	return &g
}

func (f *form) withAttrs(attrs []Attr) *form {
	if len(withoutEmpty(attrs)) == 0 {
		return f
	}
	g := *f
	l := f.newLine()
	l.buf = append(l.buf, f.done...)
	if l.inGroups(func() bool { return l.attrs(attrs) }) {
		g.prefix, g.open = l.prefix, len(f.groups)
	}
	g.done = l.buf
	return &g
}

func (f *form) write(r Record) error {
	l := f.newLine()
	if f.json {
		l.buf = append(l.buf, '{')
	}
	l.event(r)
	l.rest(r)
	l.buf = append(l.buf, '\n')
	f.to.mu.Lock()
	defer f.to.mu.Unlock()
	_, err := f.to.w.Write(l.buf)
	return err
}

// A line is being written, or the part of it that many have in common.
type line struct {
	*form
	buf    []byte
	prefix string
	groups []string // for ReplaceAttr
}

func (f *form) newLine() *line {
	return &line{form: f, buf: make([]byte, 0, 256), prefix: f.prefix}
}

// event writes what each event has. It is in no group.
func (l *line) event(r Record) {
	prefix := l.prefix
	l.prefix = ""
	replace := l.opts.ReplaceAttr != nil
	if t := r.Time.Round(0); !t.IsZero() {
		if replace {
			l.attr(Time(TimeKey, t))
		} else {
			l.key(TimeKey)
			l.time(t)
		}
	}
	if replace {
		l.attr(Any(LevelKey, r.Level))
	} else {
		l.key(LevelKey)
		l.string(r.Level.String())
	}
	if l.opts.AddSource {
		s := r.Source()
		if s == nil {
			s = &Source{}
		}
		l.attr(Any(SourceKey, s))
	}
	if replace {
		l.attr(String(MessageKey, r.Message))
	} else {
		l.key(MessageKey)
		l.string(r.Message)
	}
	l.prefix = prefix
}

// rest writes the attributes, and ends all groups.
func (l *line) rest(r Record) {
	if len(l.done) > 0 {
		l.separate()
		l.buf = append(l.buf, l.done...)
	}
	open := l.open
	if r.NumAttrs() > 0 && l.inGroups(func() (any bool) {
		r.Attrs(func(a Attr) bool {
			any = l.attr(a) || any
			return true
		})
		return any
	}) {
		open = len(l.form.groups)
	}
	if l.json {
		l.buf = append(l.buf, strings.Repeat("}", open+1)...)
	}
}

// inGroups has the groups opened that are not yet, unless nothing is written
// there.
func (l *line) inGroups(write func() bool) bool {
	end := len(l.buf)
	l.groups = append([]string(nil), l.form.groups[:l.open]...)
	for _, name := range l.form.groups[l.open:] {
		l.begin(name)
	}
	wrote := write()
	if !wrote {
		l.buf = l.buf[:end]
	}
	return wrote
}

func (l *line) begin(group string) {
	if l.json {
		l.key(group)
		l.buf = append(l.buf, '{')
	} else {
		l.prefix += group + "."
	}
	l.groups = append(l.groups, group)
}

func (l *line) attrs(as []Attr) (any bool) {
	for _, a := range as {
		any = l.attr(a) || any
	}
	return any
}

// attr writes an attribute, unless it is empty.
func (l *line) attr(a Attr) bool {
	a.Value = a.Value.Resolve()
	if replace := l.opts.ReplaceAttr; replace != nil && a.Value.kind != KindGroup {
		a = replace(l.groups, a)
		a.Value = a.Value.Resolve()
	}
	if s, ok := a.Value.ref.(*Source); ok && a.Value.kind == KindAny {
		switch {
		case s.isEmpty():
			return false
		case l.json:
			a.Value = s.asGroup()
		default:
			a.Value = StringValue(fmt.Sprintf("%s:%d", s.File, s.Line))
		}
	}
	if a.isEmpty() {
		return false
	}
	if a.Value.kind == KindGroup {
		return l.group(a.Key, a.Value.Group())
	}
	l.key(a.Key)
	l.value(a.Value)
	return true
}

// group writes a group with whatever is written in it; without a name, as if
// it were not there.
func (l *line) group(name string, as []Attr) bool {
	if len(as) == 0 {
		return true
	}
	end, prefix, depth := len(l.buf), l.prefix, len(l.groups)
	if name != "" {
		l.begin(name)
	}
	wrote := l.attrs(as)
	l.prefix, l.groups = prefix, l.groups[:depth]
	if !wrote {
		l.buf = l.buf[:end]
	} else if name != "" && l.json {
		l.buf = append(l.buf, '}')
	}
	return wrote
}

// separate writes what stands between two attributes.
func (l *line) separate() {
	n := len(l.buf)
	switch {
	case n == 0 || l.json && l.buf[n-1] == '{':
	case l.json:
		l.buf = append(l.buf, ',')
	default:
		l.buf = append(l.buf, ' ')
	}
}

func (l *line) key(name string) {
	l.separate()
	if l.json {
		l.string(name)
		l.buf = append(l.buf, ':')
	} else {
		l.string(l.prefix + name)
		l.buf = append(l.buf, '=')
	}
}

func (l *line) string(s string) {
	switch {
	case l.json:
		l.buf = append(l.buf, '"')
		l.buf = appendEscaped(l.buf, s)
		l.buf = append(l.buf, '"')
	case isPlain(s):
		l.buf = append(l.buf, s...)
	default:
		l.buf = strconv.AppendQuote(l.buf, s)
	}
}

// isPlain says whether a text needs no quotes.
func isPlain(s string) bool {
	for _, r := range s {
		switch {
		case r == ' ' || r == '=' || r == '"' || r == utf8.RuneError:
			return false
		case r < ' ':
			return false
		case r >= utf8.RuneSelf && (unicode.IsSpace(r) || !unicode.IsPrint(r)):
			return false
		}
	}
	return s != ""
}

// appendEscaped appends s as it stands between the quotes of JSON.
func appendEscaped(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, `\ufffd`...)
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < ' ':
			b = append(b, `\u00`...)
			b = append(b, hex[r>>4], hex[r&15])
		case r == '\u2028' || r == '\u2029':
			b = append(b, `\u202`...)
			b = append(b, hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// value writes a value that has been resolved and is no group. Its methods may
// panic.
func (l *line) value(v Value) {
	defer func() {
		if r := recover(); r != nil {
			if p := reflect.ValueOf(v.ref); p.Kind() == reflect.Pointer && p.IsNil() {
				l.string("<nil>")
			} else {
				l.string(fmt.Sprintf("!PANIC: %v", r))
			}
		}
	}()
	err := error(nil)
	switch {
	case v.kind == KindString:
		l.string(v.String())
	case v.kind == KindTime:
		l.time(v.Time())
	case l.json:
		err = l.jsonValue(v)
	case v.kind == KindAny:
		err = l.textAny(v.ref)
	default:
		l.buf = v.appendTo(l.buf)
	}
	if err != nil {
		l.failed(err)
	}
}

func (l *line) failed(err error) { l.string(fmt.Sprintf("!ERROR:%v", err)) }

// textAny writes a value by its method, a list of bytes as a text.
func (l *line) textAny(v any) error {
	if m, ok := v.(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		if err == nil {
			l.string(string(text))
		}
		return err
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.Slice &&
		r.Type().Elem().Kind() == reflect.Uint8 {
		l.buf = strconv.AppendQuote(l.buf, string(r.Bytes()))
		return nil
	}
	l.string(fmt.Sprintf("%+v", v))
	return nil
}

func (l *line) jsonValue(v Value) error {
	switch v.kind {
	case KindBool, KindInt64, KindUint64:
		l.buf = v.appendTo(l.buf)
		return nil
	case KindDuration:
		l.buf = strconv.AppendInt(l.buf, int64(v.Duration()), 10)
		return nil
	case KindAny:
		if err, ok := v.ref.(error); ok {
			if _, ok := v.ref.(json.Marshaler); !ok {
				l.string(err.Error())
				return nil
			}
		}
	}
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v.Any()); err != nil {
		return err
	}
	l.buf = append(l.buf, strings.TrimSuffix(text.String(), "\n")...)
	return nil
}

func (l *line) time(t time.Time) {
	if !l.json {
		l.buf = appendMillis(l.buf, t)
		return
	}
	if y := t.Year(); y < 0 || y >= 10000 {
		l.failed(errors.New("time.Time year outside of range [0,9999]"))
	}
	l.buf = append(l.buf, '"')
	l.buf = t.AppendFormat(l.buf, time.RFC3339Nano)
	l.buf = append(l.buf, '"')
}

// appendMillis appends a time as RFC 3339 has it, with three digits of the
// second, never rounded up.
func appendMillis(b []byte, t time.Time) []byte {
	return t.Truncate(time.Millisecond).AppendFormat(b, "2006-01-02T15:04:05.000Z07:00")
}
