// SPDX-License-Identifier: MIT

package fmt

import (
	"internal/rt"
	"unicode/utf8"
)

// parseNumber reads a decimal number in s[start:end]; ok is false if there is
// none. A number beyond a million is no number, and the rest is skipped.
func parseNumber(s string, start, end int) (num int, ok bool, next int) {
	for next = start; next < end && '0' <= s[next] && s[next] <= '9'; next++ {
		if num > 1e6 {
			return 0, false, end
		}
		num = num*10 + int(s[next]-'0')
		ok = true
	}
	return
}

// indexOf reads an argument index "[3]" at the start of s.
func indexOf(s string) (index int, width int, ok bool) {
	if len(s) < 3 {
		return 0, 1, false
	}
	for i := 1; i < len(s); i++ {
		if s[i] == ']' {
			n, ok, next := parseNumber(s, 1, i)
			if !ok || next != i {
				return 0, i + 1, false
			}
			return n - 1, i + 1, true
		}
	}
	return 0, 1, false
}

// argIndex applies an argument index at format[i], if there is one.
func (p *pp) argIndex(arg int, format string, i, nargs int) (newArg, next int, found bool) {
	if i >= len(format) || format[i] != '[' {
		return arg, i, false
	}
	p.reordered = true
	index, width, ok := indexOf(format[i:])
	if ok && 0 <= index && index < nargs {
		return index, i + width, true
	}
	p.goodArgNum = false
	return arg, i + width, ok
}

// intArg takes an argument for a '*'.
func intArg(a []any, arg int) (num int, ok bool, next int) {
	if arg >= len(a) {
		return 0, false, arg
	}
	if num, ok = a[arg].(int); !ok && a[arg] != nil {
		kind := rt.KindOf(rt.TypeOf(a[arg]))
		if rt.Int <= kind && kind <= rt.Uintptr {
			num = int(rt.Load(kind, rt.Addr(a[arg])))
			ok = num >= 0 || kind < rt.Uint
		}
	}
	if num > 1e6 || num < -1e6 {
		num, ok = 0, false
	}
	if !ok {
		num = 0
	}
	return num, ok, arg + 1
}

func (p *pp) complain(verb rune, what string) {
	p.put("%!")
	p.putRune(verb)
	p.put(what)
}

func (p *pp) printf(format string, a []any) {
	end := len(format)
	arg := 0
	afterIndex := false
	p.reordered = false
next:
	for i := 0; i < end; {
		p.goodArgNum = true
		start := i
		for i < end && format[i] != '%' {
			i++
		}
		if i > start {
			p.buf = append(p.buf, format[start:i]...)
		}
		if i >= end {
			break
		}
		i++
		p.flags = flags{}

	options:
		for ; i < end; i++ {
			c := format[i]
			switch c {
			case '#':
				p.sharp = true
			case '0':
				p.zero = true
			case '+':
				p.plus = true
			case '-':
				p.minus = true
			case ' ':
				p.space = true
			default:
				if 'a' <= c && c <= 'z' && arg < len(a) {
					// The usual short verb.
					p.printShort(c, a[arg], arg)
					arg++
					i++
					continue next
				}
				break options
			}
		}

		arg, i, afterIndex = p.argIndex(arg, format, i, len(a))
		if i < end && format[i] == '*' {
			i++
			p.wid, p.widPresent, arg = intArg(a, arg)
			if !p.widPresent {
				p.put("%!(BADWIDTH)")
			}
			if p.wid < 0 {
				p.wid = -p.wid
				p.minus = true
				p.zero = false
			}
			afterIndex = false
		} else {
			p.wid, p.widPresent, i = parseNumber(format, i, end)
			if afterIndex && p.widPresent {
				p.goodArgNum = false
			}
		}

		if i+1 < end && format[i] == '.' {
			i++
			if afterIndex {
				p.goodArgNum = false
			}
			arg, i, afterIndex = p.argIndex(arg, format, i, len(a))
			if i < end && format[i] == '*' {
				i++
				p.prec, p.precPresent, arg = intArg(a, arg)
				if p.prec < 0 {
					p.prec = 0
					p.precPresent = false
				}
				if !p.precPresent {
					p.put("%!(BADPREC)")
				}
				afterIndex = false
			} else {
				p.prec, p.precPresent, i = parseNumber(format, i, end)
				if !p.precPresent {
					p.prec = 0
					p.precPresent = true
				}
			}
		}
		if !afterIndex {
			arg, i, afterIndex = p.argIndex(arg, format, i, len(a))
		}
		if i >= end {
			p.put("%!(NOVERB)")
			break
		}
		verb, size := rune(format[i]), 1
		if verb >= utf8.RuneSelf {
			verb, size = utf8.DecodeRuneInString(format[i:])
		}
		i += size
		switch {
		case verb == '%':
			p.buf = append(p.buf, '%')
		case !p.goodArgNum:
			p.complain(verb, "(BADINDEX)")
		case arg >= len(a):
			p.complain(verb, "(MISSING)")
		default:
			if verb == 'v' || verb == 'w' {
				p.verbV(byte(verb), arg)
			}
			p.printArg(a[arg], verb)
			arg++
		}
	}
	if !p.reordered && arg < len(a) {
		p.extra(a[arg:])
	}
}

// printShort prints argument number n by a verb without width and precision.
func (p *pp) printShort(c byte, arg any, n int) {
	switch c {
	case 'd':
		if v, ok := arg.(int); ok {
			p.putInteger(uint64(v), 10, true, 'd', lowerDigits)
			return
		}
	case 's':
		if s, ok := arg.(string); ok {
			p.buf = append(p.buf, s...)
			return
		}
	case 'v', 'w':
		p.verbV(c, n)
	}
	p.printArg(arg, rune(c))
}

// verbV prepares %v and %w: their # and + mean something else.
func (p *pp) verbV(c byte, arg int) {
	if c == 'w' {
		p.wrapped = append(p.wrapped, arg)
	}
	p.sharpV, p.sharp = p.sharp, false
	p.plusV, p.plus = p.plus, false
}

// extra reports arguments that the format does not use.
func (p *pp) extra(a []any) {
	p.flags = flags{}
	p.put("%!(EXTRA ")
	for i, arg := range a {
		if i > 0 {
			p.put(", ")
		}
		if arg == nil {
			p.put("<nil>")
		} else {
			p.put(rt.TypeString(rt.TypeOf(arg)))
			p.buf = append(p.buf, '=')
			p.printArg(arg, 'v')
		}
	}
	p.buf = append(p.buf, ')')
}
