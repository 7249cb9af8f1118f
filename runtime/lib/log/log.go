// SPDX-License-Identifier: MIT

// Package log writes lines with a time stamp.
package log

import (
	"fmt"
	"io"
	"log/internal"
	"os"
	"runtime"
	"sync"
	"time"
)

// What each line begins with.
const (
	Ldate         = 1 << iota // 2009/01/23
	Ltime                     // 01:23:23
	Lmicroseconds             // 01:23:23.123123
	Llongfile                 // /a/b/c/d.go:23
	Lshortfile                // d.go:23
	LUTC                      // date and time in UTC
	Lmsgprefix                // the prefix goes before the message
	LstdFlags     = Ldate | Ltime
)

// A Logger writes each message with one Write.
type Logger struct {
	mu     sync.Mutex
	prefix string
	flag   int
	out    io.Writer
	buf    []byte
}

// New makes a logger.
func New(out io.Writer, prefix string, flag int) *Logger {
	return &Logger{out: out, prefix: prefix, flag: flag}
}

var std = New(os.Stderr, "", LstdFlags)

func init() {
	internal.DefaultOutput = func(pc uintptr, data []byte) error {
		return std.output(pc, 0, string(data))
	}
}

// placeOf is the file and the line of a pc as runtime.Callers has them.
func placeOf(pc uintptr) (file string, line int) {
	if f, _ := runtime.CallersFrames([]uintptr{pc}).Next(); pc != 0 && f.File != "" {
		return f.File, f.Line
	}
	return "???", 0
}

// Default is the logger of the functions of this package.
func Default() *Logger { return std }

// pad appends i with at least width digits.
func pad(b []byte, i int, width int) []byte {
	var digits [20]byte
	at := len(digits)
	for width > 0 || i > 0 {
		at--
		digits[at] = byte('0' + i%10)
		i /= 10
		width--
	}
	return append(b, digits[at:]...)
}

func header(b []byte, t time.Time, prefix string, flag int, file string, line int) []byte {
	if flag&Lmsgprefix == 0 {
		b = append(b, prefix...)
	}
	if flag&(Ldate|Ltime|Lmicroseconds) != 0 {
		if flag&LUTC != 0 {
			t = t.UTC()
		}
		if flag&Ldate != 0 {
			year, month, day := t.Date()
			b = append(pad(b, year, 4), '/')
			b = append(pad(b, int(month), 2), '/')
			b = append(pad(b, day, 2), ' ')
		}
		if flag&(Ltime|Lmicroseconds) != 0 {
			hour, min, sec := t.Clock()
			b = append(pad(b, hour, 2), ':')
			b = append(pad(b, min, 2), ':')
			b = pad(b, sec, 2)
			if flag&Lmicroseconds != 0 {
				b = append(b, '.')
				b = pad(b, t.Nanosecond()/1000, 6)
			}
			b = append(b, ' ')
		}
	}
	if flag&(Lshortfile|Llongfile) != 0 {
		if flag&Lshortfile != 0 {
			for i := len(file) - 1; i > 0; i-- {
				if file[i] == '/' {
					file = file[i+1:]
					break
				}
			}
		}
		b = append(b, file...)
		b = append(b, ':')
		b = pad(b, line, 1)
		b = append(b, ": "...)
	}
	if flag&Lmsgprefix != 0 {
		b = append(b, prefix...)
	}
	return b
}

// Output writes one message; calldepth tells whose file and line it is: 1 is
// the caller of Output.
func (l *Logger) Output(calldepth int, s string) error {
	return l.output(0, calldepth+1, s)
}

// output writes one message that comes from pc or, where that is 0, from so
// many calls up: 1 is who calls. Everybody calls it directly, and it the
// writer, since log/slog's writer counts on there being two calls between it
// and the user's.
func (l *Logger) output(pc uintptr, calldepth int, s string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out == io.Discard {
		return nil
	}
	var t time.Time
	if l.flag&(Ldate|Ltime|Lmicroseconds) != 0 {
		t = time.Now()
	}
	var file string
	var line int
	if l.flag&(Lshortfile|Llongfile) != 0 {
		file, line = placeOf(pc)
		if pc == 0 {
			if _, f, n, ok := runtime.Caller(calldepth); ok {
				file, line = f, n
			}
		}
	}
	b := header(l.buf[:0], t, l.prefix, l.flag, file, line)
	b = append(b, s...)
	if len(s) == 0 || s[len(s)-1] != '\n' {
		b = append(b, '\n')
	}
	l.buf = b
	if cap(b) > 64<<10 {
		l.buf = nil
	}
	_, err := l.out.Write(b)
	return err
}

func (l *Logger) Print(v ...any) { l.output(0, 2, fmt.Sprint(v...)) }

func (l *Logger) Printf(format string, v ...any) { l.output(0, 2, fmt.Sprintf(format, v...)) }

func (l *Logger) Println(v ...any) { l.output(0, 2, fmt.Sprintln(v...)) }

func (l *Logger) Fatal(v ...any) {
	l.output(0, 2, fmt.Sprint(v...))
	os.Exit(1)
}

func (l *Logger) Fatalf(format string, v ...any) {
	l.output(0, 2, fmt.Sprintf(format, v...))
	os.Exit(1)
}

func (l *Logger) Fatalln(v ...any) {
	l.output(0, 2, fmt.Sprintln(v...))
	os.Exit(1)
}

func (l *Logger) Panic(v ...any) {
	s := fmt.Sprint(v...)
	l.output(0, 2, s)
	panic(s)
}

func (l *Logger) Panicf(format string, v ...any) {
	s := fmt.Sprintf(format, v...)
	l.output(0, 2, s)
	panic(s)
}

func (l *Logger) Panicln(v ...any) {
	s := fmt.Sprintln(v...)
	l.output(0, 2, s)
	panic(s)
}

func (l *Logger) Flags() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.flag
}

func (l *Logger) SetFlags(flag int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flag = flag
}

func (l *Logger) Prefix() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.prefix
}

func (l *Logger) SetPrefix(prefix string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.prefix = prefix
}

func (l *Logger) Writer() io.Writer {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out
}

func (l *Logger) SetOutput(w io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = w
}

func SetOutput(w io.Writer) { std.SetOutput(w) }

func Flags() int { return std.Flags() }

func SetFlags(flag int) { std.SetFlags(flag) }

func Prefix() string { return std.Prefix() }

func SetPrefix(prefix string) { std.SetPrefix(prefix) }

func Writer() io.Writer { return std.Writer() }

func Output(calldepth int, s string) error { return std.output(0, calldepth+1, s) }

func Print(v ...any) { std.output(0, 2, fmt.Sprint(v...)) }

func Printf(format string, v ...any) { std.output(0, 2, fmt.Sprintf(format, v...)) }

func Println(v ...any) { std.output(0, 2, fmt.Sprintln(v...)) }

func Fatal(v ...any) {
	std.output(0, 2, fmt.Sprint(v...))
	os.Exit(1)
}

func Fatalf(format string, v ...any) {
	std.output(0, 2, fmt.Sprintf(format, v...))
	os.Exit(1)
}

func Fatalln(v ...any) {
	std.output(0, 2, fmt.Sprintln(v...))
	os.Exit(1)
}

func Panic(v ...any) {
	s := fmt.Sprint(v...)
	std.output(0, 2, s)
	panic(s)
}

func Panicf(format string, v ...any) {
	s := fmt.Sprintf(format, v...)
	std.output(0, 2, s)
	panic(s)
}

func Panicln(v ...any) {
	s := fmt.Sprintln(v...)
	std.output(0, 2, s)
	panic(s)
}
