// SPDX-License-Identifier: MIT

// Package fmt formats and scans values.
package fmt

import (
	"internal/rt"
	"internal/stdio"
	"io"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// State is what a Formatter prints to.
type State interface {
	Write(b []byte) (n int, err error)
	Width() (wid int, ok bool)
	Precision() (prec int, ok bool)
	Flag(c int) bool
}

// Formatter is implemented by values that do their own formatting.
type Formatter interface {
	Format(f State, verb rune)
}

// Stringer is implemented by values that have a text.
type Stringer interface {
	String() string
}

// GoStringer is implemented by values that have a Go syntax, for %#v.
type GoStringer interface {
	GoString() string
}

// FormatString rebuilds the directive that a Formatter was called with.
func FormatString(state State, verb rune) string {
	b := []byte{'%'}
	for _, c := range " +-#0" {
		if state.Flag(int(c)) {
			b = append(b, byte(c))
		}
	}
	if w, ok := state.Width(); ok {
		b = strconv.AppendInt(b, int64(w), 10)
	}
	if p, ok := state.Precision(); ok {
		b = append(b, '.')
		b = strconv.AppendInt(b, int64(p), 10)
	}
	return string(utf8.AppendRune(b, verb))
}

// pp is a printer: the text so far and the state of the current verb.
type pp struct {
	buf []byte
	flags
	scratch [80]byte // digits of the current number

	// The value being printed, for the error texts.
	t rt.Type
	v unsafe.Pointer

	reordered  bool // the format uses argument indexes
	goodArgNum bool // the last index was good
	panicking  bool // printing the value of a panic
	erroring   bool // printing an error text: no methods
	wrapErrs   bool // %w is allowed
	wrapped    []int
}

// free keeps one printer that is not in use, with its buffer.
var free unsafe.Pointer

func newPrinter() *pp {
	p := (*pp)(rt.SwapPointer(&free, nil))
	if p == nil {
		p = new(pp)
	}
	return p
}

func (p *pp) release() {
	if cap(p.buf) > 64<<10 {
		p.buf = nil
	} else {
		p.buf = p.buf[:0]
	}
	p.flags = flags{}
	p.t, p.v = nil, nil
	p.wrapped = nil
	p.reordered, p.panicking, p.erroring, p.wrapErrs = false, false, false, false
	rt.SwapPointer(&free, unsafe.Pointer(p))
}

func (p *pp) Width() (wid int, ok bool) { return p.wid, p.widPresent }

func (p *pp) Precision() (prec int, ok bool) { return p.prec, p.precPresent }

func (p *pp) Flag(c int) bool {
	switch c {
	case '-':
		return p.minus
	case '+':
		return p.plus || p.plusV
	case '#':
		return p.sharp || p.sharpV
	case ' ':
		return p.space
	case '0':
		return p.zero
	}
	return false
}

func (p *pp) Write(b []byte) (n int, err error) {
	p.buf = append(p.buf, b...)
	return len(b), nil
}

func (p *pp) WriteString(s string) (n int, err error) {
	p.buf = append(p.buf, s...)
	return len(s), nil
}

// Fprintf formats to w.
func Fprintf(w io.Writer, format string, a ...any) (n int, err error) {
	p := newPrinter()
	p.printf(format, a)
	n, err = w.Write(p.buf)
	p.release()
	return
}

// Printf formats to standard output.
func Printf(format string, a ...any) (n int, err error) {
	p := newPrinter()
	p.printf(format, a)
	n, err = stdio.Write(p.buf)
	p.release()
	return
}

// Sprintf formats to a string.
func Sprintf(format string, a ...any) string {
	p := newPrinter()
	p.printf(format, a)
	s := string(p.buf)
	p.release()
	return s
}

// Appendf formats to the end of b.
func Appendf(b []byte, format string, a ...any) []byte {
	p := newPrinter()
	p.printf(format, a)
	b = append(b, p.buf...)
	p.release()
	return b
}

// Fprint prints with %v, and a space between two operands if none of them is
// a string, to w.
func Fprint(w io.Writer, a ...any) (n int, err error) {
	p := newPrinter()
	p.print(a)
	n, err = w.Write(p.buf)
	p.release()
	return
}

// Print is Fprint to standard output.
func Print(a ...any) (n int, err error) {
	p := newPrinter()
	p.print(a)
	n, err = stdio.Write(p.buf)
	p.release()
	return
}

// Sprint is Fprint to a string.
func Sprint(a ...any) string {
	p := newPrinter()
	p.print(a)
	s := string(p.buf)
	p.release()
	return s
}

// Append is Fprint to the end of b.
func Append(b []byte, a ...any) []byte {
	p := newPrinter()
	p.print(a)
	b = append(b, p.buf...)
	p.release()
	return b
}

// Fprintln prints with %v, spaces between operands and a newline, to w.
func Fprintln(w io.Writer, a ...any) (n int, err error) {
	p := newPrinter()
	p.println(a)
	n, err = w.Write(p.buf)
	p.release()
	return
}

// Println is Fprintln to standard output.
func Println(a ...any) (n int, err error) {
	p := newPrinter()
	p.println(a)
	n, err = stdio.Write(p.buf)
	p.release()
	return
}

// Sprintln is Fprintln to a string.
func Sprintln(a ...any) string {
	p := newPrinter()
	p.println(a)
	s := string(p.buf)
	p.release()
	return s
}

// Appendln is Fprintln to the end of b.
func Appendln(b []byte, a ...any) []byte {
	p := newPrinter()
	p.println(a)
	b = append(b, p.buf...)
	p.release()
	return b
}

func (p *pp) print(a []any) {
	prevString := false
	for i, arg := range a {
		isString := rt.KindOf(rt.TypeOf(arg)) == rt.String
		if i > 0 && !isString && !prevString {
			p.buf = append(p.buf, ' ')
		}
		p.printPlain(arg)
		prevString = isString
	}
}

func (p *pp) println(a []any) {
	for i, arg := range a {
		if i > 0 {
			p.buf = append(p.buf, ' ')
		}
		p.printPlain(arg)
	}
	p.buf = append(p.buf, '\n')
}

// printPlain is printArg(arg, 'v') without flags, with short ways for the
// most frequent types.
func (p *pp) printPlain(arg any) {
	switch v := arg.(type) {
	case string:
		p.buf = append(p.buf, v...)
	case int:
		p.buf = strconv.AppendInt(p.buf, int64(v), 10)
	default:
		p.printArg(arg, 'v')
	}
}

// putRune writes a verb.
func (p *pp) putRune(r rune) { p.buf = utf8.AppendRune(p.buf, r) }

func (p *pp) put(s string) { p.buf = append(p.buf, s...) }

// badVerb reports that the current value cannot be printed with verb.
func (p *pp) badVerb(verb rune) {
	p.erroring = true
	p.put("%!")
	p.putRune(verb)
	p.buf = append(p.buf, '(')
	if p.t == nil {
		p.put("<nil>")
	} else {
		p.put(rt.TypeString(p.t))
		p.buf = append(p.buf, '=')
		if h := holder(p.t, p.v); h != nil {
			p.printHeld(h, 'v')
		} else {
			p.printTop(p.t, p.v, 'v', false)
		}
	}
	p.buf = append(p.buf, ')')
	p.erroring = false
}

func (p *pp) printBool(v bool, verb rune) {
	switch verb {
	case 't', 'v':
		p.putBool(v)
	default:
		p.badVerb(verb)
	}
}

// put0x64 writes v in hexadecimal, with 0x before it if prefix.
func (p *pp) put0x64(v uint64, prefix bool) {
	sharp := p.sharp
	p.sharp = prefix
	p.putInteger(v, 16, false, 'v', lowerDigits)
	p.sharp = sharp
}

func (p *pp) printInteger(v uint64, signed bool, verb rune) {
	switch verb {
	case 'v':
		if p.sharpV && !signed {
			p.put0x64(v, true)
		} else {
			p.putInteger(v, 10, signed, verb, lowerDigits)
		}
	case 'd':
		p.putInteger(v, 10, signed, verb, lowerDigits)
	case 'b':
		p.putInteger(v, 2, signed, verb, lowerDigits)
	case 'o', 'O':
		p.putInteger(v, 8, signed, verb, lowerDigits)
	case 'x':
		p.putInteger(v, 16, signed, verb, lowerDigits)
	case 'X':
		p.putInteger(v, 16, signed, verb, upperDigits)
	case 'c':
		p.putChar(v)
	case 'q':
		p.putQuotedChar(v)
	case 'U':
		p.putUnicode(v)
	default:
		p.badVerb(verb)
	}
}

func (p *pp) printFloat(v float64, size int, verb rune) {
	switch verb {
	case 'v':
		p.putFloat(v, size, 'g', -1)
	case 'b', 'g', 'G', 'x', 'X':
		p.putFloat(v, size, verb, -1)
	case 'f', 'e', 'E':
		p.putFloat(v, size, verb, 6)
	case 'F':
		p.putFloat(v, size, 'f', 6)
	default:
		p.badVerb(verb)
	}
}

func (p *pp) printComplex(v complex128, size int, verb rune) {
	switch verb {
	case 'v', 'b', 'g', 'G', 'x', 'X', 'f', 'F', 'e', 'E':
		plus := p.plus
		p.buf = append(p.buf, '(')
		p.printFloat(real(v), size/2, verb)
		p.plus = true
		p.printFloat(imag(v), size/2, verb)
		p.put("i)")
		p.plus = plus
	default:
		p.badVerb(verb)
	}
}

func (p *pp) printString(v string, verb rune) {
	switch verb {
	case 'v':
		if p.sharpV {
			p.putQuoted(v)
		} else {
			p.putS(v)
		}
	case 's':
		p.putS(v)
	case 'x':
		p.putHex(v, lowerDigits)
	case 'X':
		p.putHex(v, upperDigits)
	case 'q':
		p.putQuoted(v)
	default:
		p.badVerb(verb)
	}
}

// printBytes prints a byte slice with a verb that takes it as one.
func (p *pp) printBytes(v []byte, verb rune, typeString string) {
	switch verb {
	case 'v', 'd':
		if p.sharpV {
			p.put(typeString)
			if v == nil {
				p.put("(nil)")
				return
			}
			p.buf = append(p.buf, '{')
			for i, c := range v {
				if i > 0 {
					p.put(", ")
				}
				p.put0x64(uint64(c), true)
			}
			p.buf = append(p.buf, '}')
			return
		}
		p.buf = append(p.buf, '[')
		for i, c := range v {
			if i > 0 {
				p.buf = append(p.buf, ' ')
			}
			p.putInteger(uint64(c), 10, false, verb, lowerDigits)
		}
		p.buf = append(p.buf, ']')
	case 's':
		p.putS(string(v))
	case 'x':
		p.putHex(string(v), lowerDigits)
	case 'X':
		p.putHex(string(v), upperDigits)
	case 'q':
		p.putQuoted(string(v))
	}
}

// printPointer prints the pointer-like value u of type t.
func (p *pp) printPointer(t rt.Type, u uint64, verb rune) {
	switch verb {
	case 'v':
		if p.sharpV {
			p.buf = append(p.buf, '(')
			p.put(rt.TypeString(t))
			p.put(")(")
			if u == 0 {
				p.put("nil")
			} else {
				p.put0x64(u, true)
			}
			p.buf = append(p.buf, ')')
		} else if u == 0 {
			p.padString("<nil>")
		} else {
			p.put0x64(u, !p.sharp)
		}
	case 'p':
		p.put0x64(u, !p.sharp)
	case 'b', 'o', 'd', 'x', 'X':
		p.printInteger(u, false, verb)
	default:
		p.badVerb(verb)
	}
}

// catchPanic turns a panic of arg's method into text.
func (p *pp) catchPanic(arg any, verb rune, method string) {
	err := recover()
	if err == nil {
		return
	}
	t := rt.TypeOf(arg)
	if rt.KindOf(t) == rt.Pointer && *(*unsafe.Pointer)(rt.Addr(arg)) == nil {
		p.put("<nil>") // most likely it is just that
		return
	}
	if p.panicking {
		panic(err)
	}
	old := p.flags
	p.flags = flags{}
	p.put("%!")
	p.putRune(verb)
	p.put("(PANIC=")
	p.put(method)
	p.put(" method: ")
	p.panicking = true
	p.printArg(err, 'v')
	p.panicking = false
	p.buf = append(p.buf, ')')
	p.flags = old
}

func (p *pp) callFormat(f Formatter, arg any, verb rune) {
	defer p.catchPanic(arg, verb, "Format")
	f.Format(p, verb)
}

func (p *pp) callGoString(g GoStringer, arg any, verb rune) {
	defer p.catchPanic(arg, verb, "GoString")
	p.putS(g.GoString())
}

func (p *pp) callError(e error, arg any, verb rune) {
	defer p.catchPanic(arg, verb, "Error")
	p.printString(e.Error(), verb)
}

func (p *pp) callString(s Stringer, arg any, verb rune) {
	defer p.catchPanic(arg, verb, "String")
	p.printString(s.String(), verb)
}

// handleMethods prints arg by its own methods if it has one for the verb.
func (p *pp) handleMethods(arg any, verb rune) bool {
	if p.erroring {
		return false
	}
	if verb == 'w' {
		if _, ok := arg.(error); !ok || !p.wrapErrs {
			p.badVerb(verb)
			return true
		}
		verb = 'v'
	}
	if f, ok := arg.(Formatter); ok {
		p.callFormat(f, arg, verb)
		return true
	}
	if p.sharpV {
		if g, ok := arg.(GoStringer); ok {
			p.callGoString(g, arg, verb)
			return true
		}
		return false
	}
	switch verb {
	case 'v', 's', 'x', 'X', 'q':
		if e, ok := arg.(error); ok {
			p.callError(e, arg, verb)
			return true
		}
		if s, ok := arg.(Stringer); ok {
			p.callString(s, arg, verb)
			return true
		}
	}
	return false
}

// printArg prints one argument.
func (p *pp) printArg(arg any, verb rune) {
	if arg == nil {
		p.t = nil
		switch verb {
		case 'T', 'v':
			p.padString("<nil>")
		default:
			p.badVerb(verb)
		}
		return
	}
	t := rt.TypeOf(arg)
	switch verb {
	case 'T':
		p.putS(rt.TypeString(t))
		return
	case 'v', 'd', 's', 'x', 'f', 'g', 'c', 'q', 't':
		// No value of these types is needed for an error text if the
		// verb fits.
		switch v := arg.(type) {
		case int:
			switch verb {
			case 'v', 'd', 'x', 'c', 'q':
				p.printInteger(uint64(v), true, verb)
				return
			}
		case string:
			switch verb {
			case 'v', 's', 'x', 'q':
				p.printString(v, verb)
				return
			}
		case float64:
			switch verb {
			case 'v', 'f', 'g', 'x':
				p.printFloat(v, 64, verb)
				return
			}
		case bool:
			switch verb {
			case 'v', 't':
				p.putBool(v)
				return
			}
		}
	}
	v := rt.Addr(arg)
	p.t, p.v = t, v
	if verb == 'p' {
		p.printTop(t, v, verb, false)
		return
	}
	if h := holder(t, v); h != nil {
		p.printHeld(h, verb)
		return
	}
	try := rt.NumMethod(t) != 0
	if verb == 'w' {
		_, isBytes := arg.([]byte)
		try = !isBytes
	}
	if try && p.handleMethods(arg, verb) {
		return
	}
	p.printTop(t, v, verb, false)
}
