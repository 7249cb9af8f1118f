// run
// SPDX-License-Identifier: MIT

// A longer program: an interpreter of a small language, run on programs.
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
)

type token struct {
	kind byte
	text string
	num  float64
}

type lexer struct {
	src string
	pos int
}

var errEOF = errors.New("end")

func (l *lexer) next() (t token, err error) {
	for l.pos < len(l.src) && strings.ContainsRune(" \t\n", rune(l.src[l.pos])) {
		l.pos++
	}
	if l.pos >= len(l.src) {
		return t, errEOF
	}
	start := l.pos
	switch c := l.src[l.pos]; {
	case c >= '0' && c <= '9':
		for l.pos < len(l.src) && (l.src[l.pos] >= '0' && l.src[l.pos] <= '9' || l.src[l.pos] == '.') {
			l.pos++
		}
		t.kind, t.text = 'n', l.src[start:l.pos]
		_, err = fmt.Sscan(t.text, &t.num)
	case c == '(' || c == ')':
		l.pos++
		t.kind, t.text = c, l.src[start:l.pos]
	default:
		for l.pos < len(l.src) && !strings.ContainsRune(" \t\n()", rune(l.src[l.pos])) {
			l.pos++
		}
		t.kind, t.text = 's', l.src[start:l.pos]
	}
	return
}

type (
	value  interface{}
	symbol string
	list   []value
	lambda struct {
		params []symbol
		body   value
		env    *env
	}
	builtin func(args ...value) (value, error)
	env     struct {
		vars  map[symbol]value
		outer *env
	}
)

func (l list) String() string {
	parts := make([]string, len(l))
	for i, v := range l {
		parts[i] = fmt.Sprint(v)
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func (e *env) find(s symbol) (*env, bool) {
	for ; e != nil; e = e.outer {
		if _, ok := e.vars[s]; ok {
			return e, true
		}
	}
	return nil, false
}

func parse(l *lexer) (value, error) {
	t, err := l.next()
	if err != nil {
		return nil, err
	}
	switch t.kind {
	case 'n':
		return t.num, nil
	case 's':
		return symbol(t.text), nil
	case '(':
		out := list{}
		for {
			save := l.pos
			t, err := l.next()
			if err != nil {
				return nil, fmt.Errorf("unclosed list: %w", err)
			}
			if t.kind == ')' {
				return out, nil
			}
			l.pos = save
			v, err := parse(l)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
	}
	return nil, fmt.Errorf("unexpected %q", t.text)
}

func eval(v value, e *env) (value, error) {
	for {
		switch x := v.(type) {
		case float64, builtin, lambda:
			return x, nil
		case symbol:
			if s, ok := e.find(x); ok {
				return s.vars[x], nil
			}
			return nil, fmt.Errorf("undefined: %s", string(x))
		case list:
			if len(x) == 0 {
				return x, nil
			}
			if s, ok := x[0].(symbol); ok {
				switch s {
				case "if":
					c, err := eval(x[1], e)
					if err != nil {
						return nil, err
					}
					if c == value(0.0) {
						v = x[3]
					} else {
						v = x[2]
					}
					continue
				case "define":
					r, err := eval(x[2], e)
					if err == nil {
						e.vars[x[1].(symbol)] = r
					}
					return r, err
				case "lambda":
					l := lambda{body: x[2], env: e}
					for _, p := range x[1].(list) {
						l.params = append(l.params, p.(symbol))
					}
					return l, nil
				case "quote":
					return x[1], nil
				}
			}
			vals := make([]value, len(x))
			for i := range x {
				r, err := eval(x[i], e)
				if err != nil {
					return nil, err
				}
				vals[i] = r
			}
			switch f := vals[0].(type) {
			case builtin:
				return f(vals[1:]...)
			case lambda:
				if len(f.params) != len(vals)-1 {
					return nil, fmt.Errorf("want %d arguments, have %d", len(f.params), len(vals)-1)
				}
				inner := &env{map[symbol]value{}, f.env}
				for i, p := range f.params {
					inner.vars[p] = vals[i+1]
				}
				v, e = f.body, inner
				continue
			default:
				return nil, fmt.Errorf("not a function: %v", f)
			}
		}
	}
}

func arith(f func(a, b float64) float64) builtin {
	return func(args ...value) (res value, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("arith: %v", r)
			}
		}()
		acc := args[0].(float64)
		for _, a := range args[1:] {
			acc = f(acc, a.(float64))
		}
		return acc, nil
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func global() *env {
	return &env{vars: map[symbol]value{
		"+":    arith(func(a, b float64) float64 { return a + b }),
		"-":    arith(func(a, b float64) float64 { return a - b }),
		"*":    arith(func(a, b float64) float64 { return a * b }),
		"<":    arith(func(a, b float64) float64 { return truth(a < b) }),
		"=":    arith(func(a, b float64) float64 { return truth(a == b) }),
		"list": builtin(func(a ...value) (value, error) { return list(a), nil }),
		"car":  builtin(func(a ...value) (value, error) { return a[0].(list)[0], nil }),
		"cdr":  builtin(func(a ...value) (value, error) { return a[0].(list)[1:], nil }),
		"cons": builtin(func(a ...value) (value, error) { return append(list{a[0]}, a[1].(list)...), nil }),
		"null": builtin(func(a ...value) (value, error) { return truth(len(a[0].(list)) == 0), nil }),
		"sort": builtin(func(a ...value) (value, error) {
			l := append(list(nil), a[0].(list)...)
			sort.Slice(l, func(i, j int) bool { return l[i].(float64) < l[j].(float64) })
			return l, nil
		}),
	}}
}

const program = `
(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))
(fact 10)
(define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))
(fib 15)
(define loop (lambda (n acc) (if (= n 0) acc (loop (- n 1) (+ acc n)))))
(loop 20000 0)
(define map (lambda (f l) (if (null l) (quote ()) (cons (f (car l)) (map f (cdr l))))))
(map (lambda (x) (* x x)) (list 1 2 3 4 5))
(define compose (lambda (f g) (lambda (x) (f (g x)))))
((compose fact (lambda (x) (+ x 1))) 4)
(sort (list 3 1 2 10 -5))
(quote (a (b c) 1.5))
(undefined-function 1)
(fact 1 2)
(+ 1 (quote x))
(1 2)
(if (< 1 2) (quote yes) (quote no))
(unclosed (list 1
`

func main() {
	l := &lexer{src: program}
	e := global()
	for {
		v, err := parse(l)
		if errors.Is(err, errEOF) {
			fmt.Println("parse:", err)
			break
		}
		r, err := eval(v, e)
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		switch r.(type) {
		case lambda:
			fmt.Println("lambda")
		default:
			fmt.Println(r)
		}
	}
	if len(os.Args) > 5 {
		os.Exit(3)
	}
}
