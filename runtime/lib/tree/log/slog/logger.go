// SPDX-License-Identifier: MIT

//go:build !go1.21

package slog

import (
	"bytes"
	"context"
	"log"
	loginternal "log/internal"
	"runtime"
	"sync/atomic"
	"time"
)

// A Logger makes records of what it is told and hands them to its Handler.
type Logger struct {
	handler Handler
}

var (
	defaultLogger atomic.Pointer[Logger]
	bridgeLevel   LevelVar // of what comes from package log, or goes there
)

func init() {
	defaultLogger.Store(New(&logHandler{output: loginternal.DefaultOutput}))
}

// SetLogLoggerLevel sets the level of messages of package log that come here,
// or, before SetDefault, from which on events go there.
func SetLogLoggerLevel(level Level) (oldLevel Level) {
	oldLevel = bridgeLevel.Level()
	bridgeLevel.Set(level)
	return oldLevel
}

func Default() *Logger { return defaultLogger.Load() }

// SetDefault makes l the default logger, of package log, too.
func SetDefault(l *Logger) {
	defaultLogger.Store(l)
	if _, own := l.handler.(*logHandler); own {
		return // which writes by package log
	}
	places := log.Flags()&(log.Lshortfile|log.Llongfile) != 0
	log.SetOutput(&bridge{l.handler, &bridgeLevel, places})
	log.SetFlags(0)
}

// A bridge is a writer for package log: each message is an event.
type bridge struct {
	to     Handler
	level  Leveler
	places bool
}

func (b *bridge) Write(text []byte) (int, error) {
	ctx, level := context.Background(), b.level.Level()
	if !b.to.Enabled(ctx, level) {
		return 0, nil
	}
	var pc uintptr
	if b.places {
		pc = callerPC(4) // behind Write, log's output, and the function of log
	}
	msg := string(bytes.TrimSuffix(text, []byte("\n")))
	return len(text), b.to.Handle(ctx, NewRecord(time.Now(), level, msg, pc))
}

// callerPC is the program counter of the caller, skip calls up: 1 is who calls.
func callerPC(skip int) uintptr {
	var pc [1]uintptr
	runtime.Callers(skip+1, pc[:])
	return pc[0]
}

func NewLogLogger(h Handler, level Level) *log.Logger {
	return log.New(&bridge{h, level, true}, "", 0)
}

func New(h Handler) *Logger {
	if h == nil {
		panic("nil Handler")
	}
	return &Logger{handler: h}
}

func (l *Logger) Handler() Handler { return l.handler }

// With returns a logger that adds the attributes to each event.
func (l *Logger) With(args ...any) *Logger {
	if len(args) == 0 {
		return l
	}
	return &Logger{handler: l.handler.WithAttrs(attrsOf(args))}
}

// WithGroup returns a logger whose attributes from now on are in a group.
func (l *Logger) WithGroup(name string) *Logger {
	if name == "" {
		return l
	}
	return &Logger{handler: l.handler.WithGroup(name)}
}

func With(args ...any) *Logger { return Default().With(args...) }

func (l *Logger) Enabled(ctx context.Context, level Level) bool {
	if ctx == nil {
		ctx = context.Background()
	}
	return l.handler.Enabled(ctx, level)
}

// event logs for the exported functions, whose callers it names.
func (l *Logger) event(ctx context.Context, level Level, msg string, args []any,
	attrs []Attr) {
	if ctx == nil {
		ctx = context.Background()
	}
	if !l.handler.Enabled(ctx, level) {
		return
	}
	r := NewRecord(time.Now(), level, msg, callerPC(3))
	r.Add(args...)
	r.AddAttrs(attrs...)
	_ = l.handler.Handle(ctx, r)
}

// Log logs an event. Each of args is an Attr, or the key of the next one; a
// value without a key gets !BADKEY.
func (l *Logger) Log(ctx context.Context, level Level, msg string, args ...any) {
	l.event(ctx, level, msg, args, nil)
}

func (l *Logger) LogAttrs(ctx context.Context, level Level, msg string, attrs ...Attr) {
	l.event(ctx, level, msg, nil, attrs)
}

func (l *Logger) Debug(msg string, args ...any) {
	l.event(nil, LevelDebug, msg, args, nil)
}

func (l *Logger) DebugContext(ctx context.Context, msg string, args ...any) {
	l.event(ctx, LevelDebug, msg, args, nil)
}

func (l *Logger) Info(msg string, args ...any) {
	l.event(nil, LevelInfo, msg, args, nil)
}

func (l *Logger) InfoContext(ctx context.Context, msg string, args ...any) {
	l.event(ctx, LevelInfo, msg, args, nil)
}

func (l *Logger) Warn(msg string, args ...any) {
	l.event(nil, LevelWarn, msg, args, nil)
}

func (l *Logger) WarnContext(ctx context.Context, msg string, args ...any) {
	l.event(ctx, LevelWarn, msg, args, nil)
}

func (l *Logger) Error(msg string, args ...any) {
	l.event(nil, LevelError, msg, args, nil)
}

func (l *Logger) ErrorContext(ctx context.Context, msg string, args ...any) {
	l.event(ctx, LevelError, msg, args, nil)
}

func Log(ctx context.Context, level Level, msg string, args ...any) {
	Default().event(ctx, level, msg, args, nil)
}

func LogAttrs(ctx context.Context, level Level, msg string, attrs ...Attr) {
	Default().event(ctx, level, msg, nil, attrs)
}

func Debug(msg string, args ...any) { Default().event(nil, LevelDebug, msg, args, nil) }

func DebugContext(ctx context.Context, msg string, args ...any) {
	Default().event(ctx, LevelDebug, msg, args, nil)
}

func Info(msg string, args ...any) { Default().event(nil, LevelInfo, msg, args, nil) }

func InfoContext(ctx context.Context, msg string, args ...any) {
	Default().event(ctx, LevelInfo, msg, args, nil)
}

func Warn(msg string, args ...any) { Default().event(nil, LevelWarn, msg, args, nil) }

func WarnContext(ctx context.Context, msg string, args ...any) {
	Default().event(ctx, LevelWarn, msg, args, nil)
}

func Error(msg string, args ...any) { Default().event(nil, LevelError, msg, args, nil) }

func ErrorContext(ctx context.Context, msg string, args ...any) {
	Default().event(ctx, LevelError, msg, args, nil)
}
