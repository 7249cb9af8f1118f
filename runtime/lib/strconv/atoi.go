// SPDX-License-Identifier: MIT

// Package strconv converts between values and their text. The conversions
// themselves are natives (runtime/lib/support/numtext.c and quote.c); here are
// the errors, and what is built on top.
package strconv

const IntSize = 64

type textError struct{ text string }

func (e *textError) Error() string { return e.text }

var (
	// ErrRange says that a value does not fit the target type.
	ErrRange error = &textError{"value out of range"}
	// ErrSyntax says that a text is not of the right form.
	ErrSyntax error = &textError{"invalid syntax"}
)

// A NumError records a failed conversion.
type NumError struct {
	Func string // the failing function (ParseBool, ParseInt, ...)
	Num  string // the input
	Err  error  // the reason
}

func (e *NumError) Error() string {
	return "strconv." + e.Func + ": parsing " + Quote(e.Num) + ": " + e.Err.Error()
}

func (e *NumError) Unwrap() error { return e.Err }

// Outcomes of the parsing natives (enum num_code).
const (
	codeOK = iota
	codeSyntax
	codeRange
	codeBase
	codeBits
	codeNoMemory
)

func numError(fn, s string, code, base, bits int) error {
	var err error
	switch code {
	case codeSyntax:
		err = ErrSyntax
	case codeRange:
		err = ErrRange
	case codeBase:
		err = &textError{"invalid base " + Itoa(base)}
	case codeBits:
		err = &textError{"invalid bit size " + Itoa(bits)}
	default:
		err = &textError{"out of memory"}
	}
	return &NumError{fn, s, err}
}

// ParseUint is like ParseInt, for unsigned numbers; no sign is allowed.
func ParseUint(s string, base int, bitSize int) (uint64, error) {
	n, code := parseUint(s, base, bitSize)
	if code != codeOK {
		return n, numError("ParseUint", s, code, base, bitSize)
	}
	return n, nil
}

// ParseInt reads s in the given base (0: told by a prefix, 2 to 36) as an
// integer of bitSize bits (0 means int).
func ParseInt(s string, base int, bitSize int) (i int64, err error) {
	n, code := parseInt(s, base, bitSize)
	if code != codeOK {
		return n, numError("ParseInt", s, code, base, bitSize)
	}
	return n, nil
}

// Atoi is ParseInt(s, 10, 0) as an int.
func Atoi(s string) (int, error) {
	n, code := parseInt(s, 10, 0)
	if code != codeOK {
		return int(n), numError("Atoi", s, code, 10, 0)
	}
	return int(n), nil
}

// ParseBool accepts 1, t, T, TRUE, true, True, 0, f, F, FALSE, false, False.
func ParseBool(str string) (bool, error) {
	switch str {
	case "1", "t", "T", "true", "TRUE", "True":
		return true, nil
	case "0", "f", "F", "false", "FALSE", "False":
		return false, nil
	}
	return false, numError("ParseBool", str, codeSyntax, 0, 0)
}

// ParseFloat reads s as a float of bitSize (32 or 64) bits.
func ParseFloat(s string, bitSize int) (float64, error) {
	f, n, code := parseFloat(s, bitSize)
	if n != len(s) && code != codeSyntax {
		f, code = 0, codeSyntax
	}
	if code != codeOK {
		return f, numError("ParseFloat", s, code, 0, 0)
	}
	return f, nil
}

// ParseComplex reads s, of the form N, Ni or N±Ni, parentheses allowed, as a
// complex number of bitSize (64 or 128) bits.
func ParseComplex(s string, bitSize int) (complex128, error) {
	size := 64
	if bitSize == 64 {
		size = 32
	}
	all := s
	fail := func() (complex128, error) {
		return 0, numError("ParseComplex", all, codeSyntax, 0, 0)
	}
	if l := len(s); l >= 2 && s[0] == '(' && s[l-1] == ')' {
		s = s[1 : l-1]
	}
	var pending error
	re, n, code := parseFloat(s, size)
	if code == codeRange {
		pending = numError("ParseComplex", all, codeRange, 0, 0)
	} else if code != codeOK {
		return fail()
	}
	s = s[n:]
	if len(s) == 0 {
		return complex(re, 0), pending
	}
	switch s[0] {
	case '+':
		// Skip the sign, which NaN does not take, unless one more follows.
		if len(s) > 1 && s[1] != '+' {
			s = s[1:]
		}
	case '-':
	case 'i':
		if len(s) == 1 {
			return complex(0, re), pending
		}
		return fail()
	default:
		return fail()
	}
	im, n, code := parseFloat(s, size)
	if code == codeRange {
		pending = numError("ParseComplex", all, codeRange, 0, 0)
	} else if code != codeOK {
		return fail()
	}
	if s[n:] != "i" {
		return fail()
	}
	return complex(re, im), pending
}
