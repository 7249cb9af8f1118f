// SPDX-License-Identifier: MIT

//go:build !go1.21

package slog

import (
	"context"
	"errors"
	"io"
)

// A Handler does something with events. WithAttrs and WithGroup leave it as it
// is and return another.
type Handler interface {
	Enabled(context.Context, Level) bool
	Handle(context.Context, Record) error
	WithAttrs(attrs []Attr) Handler
	WithGroup(name string) Handler
}

// HandlerOptions are of a TextHandler or a JSONHandler.
type HandlerOptions struct {
	AddSource bool
	Level     Leveler // the least that is written; nil: LevelInfo
	// ReplaceAttr, unless it is nil, is called for each attribute that is no
	// group, also for those that each event has; the zero Attr leaves it out.
	ReplaceAttr func(groups []string, a Attr) Attr
}

// Keys of what each event has.
const (
	TimeKey    = "time"
	LevelKey   = "level"
	MessageKey = "msg"
	SourceKey  = "source"
)

// A TextHandler writes lines of key=value.
type TextHandler struct{ form *form }

func NewTextHandler(w io.Writer, opts *HandlerOptions) *TextHandler {
	return &TextHandler{newForm(w, opts, false)}
}

func (h *TextHandler) Enabled(_ context.Context, level Level) bool {
	return h.form.enabled(level)
}

func (h *TextHandler) Handle(_ context.Context, r Record) error { return h.form.write(r) }

func (h *TextHandler) WithAttrs(attrs []Attr) Handler {
	return &TextHandler{h.form.withAttrs(attrs)}
}

func (h *TextHandler) WithGroup(name string) Handler {
	return &TextHandler{h.form.withGroup(name)}
}

// A JSONHandler writes a line with an object for each event.
type JSONHandler struct{ form *form }

func NewJSONHandler(w io.Writer, opts *HandlerOptions) *JSONHandler {
	return &JSONHandler{newForm(w, opts, true)}
}

func (h *JSONHandler) Enabled(_ context.Context, level Level) bool {
	return h.form.enabled(level)
}

func (h *JSONHandler) Handle(_ context.Context, r Record) error { return h.form.write(r) }

func (h *JSONHandler) WithAttrs(attrs []Attr) Handler {
	return &JSONHandler{h.form.withAttrs(attrs)}
}

func (h *JSONHandler) WithGroup(name string) Handler {
	return &JSONHandler{h.form.withGroup(name)}
}

// A logHandler is that of the default logger before SetDefault: it writes by
// package log.
type logHandler struct {
	form   form
	output func(pc uintptr, data []byte) error
}

func (h *logHandler) Enabled(_ context.Context, level Level) bool {
	return level >= bridgeLevel.Level()
}

func (h *logHandler) Handle(_ context.Context, r Record) error {
	l := h.form.newLine()
	l.buf = append(l.buf, r.Level.String()...)
	l.buf = append(l.buf, ' ')
	l.buf = append(l.buf, r.Message...)
	l.rest(r)
	return h.output(r.PC, l.buf)
}

func (h *logHandler) WithAttrs(attrs []Attr) Handler {
	return &logHandler{*h.form.withAttrs(attrs), h.output}
}

func (h *logHandler) WithGroup(name string) Handler {
	return &logHandler{*h.form.withGroup(name), h.output}
}

// DiscardHandler drops all.
var DiscardHandler Handler = discard{}

type discard struct{}

func (discard) Enabled(context.Context, Level) bool  { return false }
func (discard) Handle(context.Context, Record) error { return nil }
func (d discard) WithAttrs([]Attr) Handler           { return d }
func (d discard) WithGroup(string) Handler           { return d }

// A MultiHandler hands each event to several handlers.
type MultiHandler struct{ to []Handler }

func NewMultiHandler(handlers ...Handler) *MultiHandler {
	return &MultiHandler{append([]Handler(nil), handlers...)}
}

func (m *MultiHandler) Enabled(ctx context.Context, level Level) bool {
	for _, h := range m.to {
		if h.Enabled(ctx, level) {
			return true
		}
	}
	return false
}

func (m *MultiHandler) Handle(ctx context.Context, r Record) error {
	var errs []error
	for _, h := range m.to {
		if h.Enabled(ctx, r.Level) {
			errs = append(errs, h.Handle(ctx, r.Clone()))
		}
	}
	return errors.Join(errs...)
}

func (m *MultiHandler) each(f func(Handler) Handler) Handler {
	to := make([]Handler, len(m.to))
	for i, h := range m.to {
		to[i] = f(h)
	}
	return &MultiHandler{to}
}

func (m *MultiHandler) WithAttrs(attrs []Attr) Handler {
	return m.each(func(h Handler) Handler { return h.WithAttrs(attrs) })
}

func (m *MultiHandler) WithGroup(name string) Handler {
	return m.each(func(h Handler) Handler { return h.WithGroup(name) })
}
