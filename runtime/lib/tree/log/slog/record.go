// SPDX-License-Identifier: MIT

//go:build !go1.21

package slog

import (
	"runtime"
	"time"
)

// A Record is one event. Copies share attributes: Clone makes one to which
// others can be added.
type Record struct {
	Time    time.Time // zero: left out by handlers
	Message string
	Level   Level
	PC      uintptr // as of runtime.Callers; 0: not known

	first  [inRecord]Attr // nfirst of them, before
	more   []Attr
	nfirst int
}

// inRecord attributes, as most events have at most, need no list.
const inRecord = 5

func NewRecord(t time.Time, level Level, msg string, pc uintptr) Record {
	return Record{Time: t, Message: msg, Level: level, PC: pc}
}

// Clone returns a copy to which attributes can be added: its list is full, so
// that what is added goes into another.
func (r Record) Clone() Record {
	r.more = r.more[:len(r.more):len(r.more)]
	return r
}

func (r Record) NumAttrs() int { return r.nfirst + len(r.more) }

// Attrs calls f with each attribute, until it returns false.
func (r Record) Attrs(f func(Attr) bool) {
	for i := range r.first[:r.nfirst] {
		if !f(r.first[i]) {
			return
		}
	}
	for i := range r.more {
		if !f(r.more[i]) {
			return
		}
	}
}

// AddAttrs adds attributes, but for empty groups.
func (r *Record) AddAttrs(attrs ...Attr) {
	r.checkShared()
	for _, a := range attrs {
		r.add(a)
	}
}

// Add adds attributes that args gives as for Logger.Log.
func (r *Record) Add(args ...any) {
	for len(args) > 0 {
		var a Attr
		a, args = nextAttr(args)
		r.add(a)
	}
}

func (r *Record) add(a Attr) {
	switch {
	case a.Value.isEmptyGroup():
	case r.nfirst < len(r.first):
		r.first[r.nfirst] = a
		r.nfirst++
	default:
		r.more = append(r.more, a)
	}
}

// checkShared finds a copy that was made without Clone and whose list somebody
// else has added to since: behind its end there is an attribute.
func (r *Record) checkShared() {
	if n := len(r.more); n < cap(r.more) && !r.more[:n+1][n].isEmpty() {
		*r = r.Clone()
		r.more = append(r.more, String("!BUG",
			"AddAttrs unsafely called on copy of Record made without using Record.Clone"))
	}
}

// A Source is a place in a program.
type Source struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// Source returns where the event was logged, nil if that is not known.
func (r Record) Source() *Source {
	if r.PC == 0 {
		return nil
	}
	f, _ := runtime.CallersFrames([]uintptr{r.PC}).Next()
	return &Source{Function: f.Function, File: f.File, Line: f.Line}
}

func (s *Source) isEmpty() bool { return s == nil || *s == Source{} }

// asGroup is what is known of the place.
func (s *Source) asGroup() Value {
	var as []Attr
	if s.Function != "" {
		as = append(as, String("function", s.Function))
	}
	if s.File != "" {
		as = append(as, String("file", s.File))
	}
	if s.Line != 0 {
		as = append(as, Int("line", s.Line))
	}
	return GroupValue(as...)
}
