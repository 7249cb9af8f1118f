#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs about addresses: what vole prints, the real go must print.

Each program has functions that pass around pointers, structs, slices and
closures, in loops, through results, fields, maps and deferred calls, and others
that return what they have made, alone or with more, with
calls between that use the memory of frames for something else.  Whatever the
escape analysis of runtime/lang/gen/gen_escape.c takes for memory that nobody
keeps is overwritten then, and the sums at the end differ.

The seed is printed; --seed replays it, --keep keeps programs that differ.
"""

import sys

import beside_go

HEAD = '''package main

import "fmt"

type T struct {
	a, b int
	p    *int
	next *T
}

var (
	gp   *int
	gt   *T
	gf   func() int
	gs   []*int
	gm   = map[int]*T{}
	gn   = map[int]int{}
	ge   any
	fuel = 3000
	hash uint64
)

func note(n int) { hash = hash*31 + uint64(n) + 7 }

func burn() bool { fuel--; return fuel < 0 }

// scrub fills the memory of frames with something else.
func scrub(n int) int {
	var a [24]int
	t := &T{a: -n, b: n}
	f := func(i int) { a[i%24] += t.a*i + t.b }
	for i := range a[:] {
		f(i)
	}
	if n > 0 {
		return scrub(n-1) + a[n%24]
	}
	return a[3]
}

func (t *T) bump(n int) *T { t.a += n; return t }
func (t *T) set(p *int)    { t.p = p }
func (t T) total() int {
	n := t.a*3 + t.b
	if t.p != nil {
		n += *t.p
	}
	return n
}

// What an interface holds has memory of its own.
func see(e any) int {
	switch v := e.(type) {
	case int:
		return v
	case T:
		return v.total()
	case [2]int:
		return v[0]*3 + v[1]
	case string:
		return len(v)
	}
	return 5
}
func same(e any) any         { return e }
func hold(e any) int         { ge = e; return see(e) }
func first(es ...any) any    { return es[0] }
func into(e *any, f any) any { *e = f; return *e }

// Callees that keep nothing, and give back what they have got.
type two struct{ p, q *int }

//go:noinline
func id(p *int) *int { return p }

//go:noinline
func both(p, q *int) two { return two{q, p} }

//go:noinline
func put(t *two, p *int) { t.p = p }

//go:noinline
func adds(p *int) func(int) { return func(n int) { *p += n } }

func keep(p *int, t *T) *int { gt = t; gs = append(gs[:len(gs)%5], p); return p }
func each(n int, f func(int)) {
	for i := 0; i < n; i++ {
		f(i)
	}
}
func upto(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}
'''

TAIL = '''
func main() {
	x := 1
	t := &T{a: 2, p: &x}
	for i := 0; i < 12; i++ {
		fuel = 3000
		%s
		note(scrub(4))
		note(x)
		note(t.total())
	}
	if gp != nil {
		note(*gp)
	}
	if gt != nil {
		note(gt.total())
	}
	if gf != nil {
		fuel = 3000
		note(gf())
	}
	for _, p := range gs {
		note(*p)
	}
	for i := 0; i < 4; i++ {
		if t := gm[i]; t != nil {
			note(t.total())
		}
	}
	note(see(ge))
	fmt.Println(hash)
}
'''


class Writer:
    """One program."""

    def __init__(self, r):
        self.r = r
        self.n = 0
        self.out = []
        self.nfuncs = r.randrange(2, 6)
        self.nmakers = r.randrange(1, 5)

    def name(self, kind):
        self.n += 1
        return '%s%d' % (kind, self.n)

    def pick(self, env, kind):
        """A variable of this kind in sight."""
        return self.r.choice([v for v in env if v[0] == kind])

    def integer(self, env):
        r = self.r
        k = r.randrange(7)
        if k == 0:
            return str(r.randrange(20))
        if k == 1:
            return '*' + self.pointer(env)
        if k == 2:
            return self.pick(env, 't') + '.' + r.choice('ab')
        if k == 3:
            return self.pick(env, 't') + '.total()'
        return self.pick(env, 'i')

    def pointer(self, env):
        r = self.r
        k = r.randrange(9)
        if k == 0:
            return '&' + self.pick(env, 't') + '.' + r.choice('ab')
        if k == 1:
            return 'new(int)'
        if k <= 4:
            return '&' + self.pick(env, 'i')
        if k == 5:
            return 'F%d(%s, %s)' % (r.randrange(self.nfuncs),
                                    self.pick(env, 'p'), self.node(env))
        if k == 6:
            return '(*%s)' % ('&' + self.pick(env, 'p'))
        return self.pick(env, 'p')

    def node(self, env):
        r = self.r
        k = r.randrange(9)
        if k >= 7:
            return 'M%d(%s, %s)' % (r.randrange(self.nmakers),
                                    self.pointer(env), self.pick(env, 't'))
        if k == 0:
            return '&T{a: %s, p: %s}' % (self.integer(env), self.pick(env, 'p'))
        if k == 1:
            return '&T{b: %s, next: %s}' % (self.integer(env),
                                            self.pick(env, 't'))
        if k == 2:
            return '%s.bump(%d)' % (self.pick(env, 't'), r.randrange(9))
        return self.pick(env, 't')

    def block(self, env, depth, pad, tail=()):
        env = list(env)
        self.stmts(env, depth, pad)
        for line in tail:
            self.out.append(pad + line)

    def stmts(self, env, depth, pad):
        for _ in range(self.r.randrange(2, 6)):
            self.stmt(env, depth, pad)

    def declare(self, env, kind, value, pad):
        v = self.name(kind)
        self.out.append('%s%s := %s' % (pad, v, value))
        self.out.append('%s_ = %s' % (pad, v))
        env.append(v)

    def value(self, env):
        """Of a type that an interface does not hold by itself."""
        r = self.r
        k = r.randrange(5)
        if k == 0:
            return '*' + self.pick(env, 't')
        if k == 1:
            return '[2]int{%s, %s}' % (self.integer(env), self.integer(env))
        if k == 2:
            return 'fmt.Sprint(%s)' % self.pick(env, 'i')
        return self.integer(env)

    def boxed(self, env, pad, literals):
        r = self.r
        put = lambda s: self.out.append(pad + s)
        k = r.randrange(8 if literals else 7)
        v = self.name('e')
        if k == 0:
            put('note(see(%s))' % self.value(env))
        elif k == 1:
            put('var %s any = %s; note(scrub(2)); note(see(%s))' %
                (v, self.value(env), v))
        elif k == 2:
            put('%s := []any{%s, %s}; note(scrub(1)); note(see(%s[%d]))' %
                (v, self.value(env), self.value(env), v, r.randrange(2)))
        elif k == 3:
            put('%s := first(%s, %s); note(scrub(1)); note(see(same(%s)))' %
                (v, self.value(env), self.value(env), v))
        elif k == 4:
            put('note(hold(%s))' % self.value(env))
        elif k == 5:
            put('var %s any; for j := 0; j < 3; j++ { if %s != nil { '
                'note(see(%s)) }; %s = %s }' %
                (v, v, v, v, self.value(env)))
        elif k == 6:
            put('var %s any; into(%s, into(&%s, %s)); note(scrub(1)); '
                'note(see(%s))' % (v, r.choice(['&ge', '&' + v]), v,
                                   self.value(env), v))
        else:
            put('defer func(e any) { note(see(e)) }(%s)' % self.value(env))

    def given(self, env, pad, literals):
        """In loops that are one piece of machine code with their bodies."""
        r = self.r
        put = lambda s: self.out.append(pad + s)
        v, x = self.name('q'), self.pick(env, 'i')
        at = '&' + x
        if r.randrange(2) == 0:
            # By a pointer that the body has captured.
            self.declare(env, 'p', r.choice(['new(int)', at]), pad)
            at = env[-1]
            x = '*' + at
        k = r.randrange(5)
        if k == 0:
            put('%s := id(%s)' % (v, at))
            line = '%s += j; *%s += 100; note(%s)' % (x, v, x)
        elif k == 1:
            put('%s := both(%s, %s)' % (v, self.pointer(env), at))
            line = '%s += j; *%s.p += 100; note(%s + *%s.q)' % (x, v, x, v)
        elif k == 2:
            put('var %s two; put(&%s, %s)' % (v, v, at))
            line = '*%s.p += j; %s *= 3; note(*%s.p)' % (v, x, v)
        elif k == 3:
            put('%s := adds(%s)' % (v, at))
            line = '%s(j); %s++; note(%s)' % (v, x, x)
        else:
            put('%s := 7; %sp := &%s' % (v, v, v))
            line = '%s += *%sp; *%sp = j; %s += *id(%sp)' % (v, v, v, x, v)
        put(r.choice(['for j := range upto(3) { %s }',
                      'each(3, func(j int) { %s })' if literals else
                      'for j := range upto(2) { %s }',
                      'for j := 0; j < 3; j++ { %s }']) % line)
        put('note(%s)' % x)

    def simple(self, env, pad, literals=True):
        r = self.r
        put = lambda s: self.out.append(pad + s)
        k = r.randrange(25)
        if r.randrange(6) == 0:
            r.choice([self.boxed, self.given])(env, pad, literals)
            return
        while not literals and k in (17, 21):
            k = r.randrange(25)
        if k == 0:
            self.declare(env, 'i', self.integer(env), pad)
        elif k == 1:
            self.declare(env, 'p', self.pointer(env), pad)
        elif k == 2:
            self.declare(env, 't', self.node(env), pad)
        elif k == 3:
            put('%s = %s' % (self.pick(env, 'p'), self.pointer(env)))
        elif k == 4:
            put('%s = %s' % (self.pick(env, 't'), self.node(env)))
        elif k == 5:
            put('%s += %s' % (self.pick(env, 'i'), self.integer(env)))
        elif k == 6:
            put('*%s += %s' % (self.pick(env, 'p'), self.integer(env)))
        elif k == 7:
            put('%s.p = %s' % (self.pick(env, 't'), self.pointer(env)))
        elif k == 8:
            put('%s.set(%s)' % (self.pick(env, 't'), self.pointer(env)))
        elif k == 9:
            put(r.choice(['gp = ' + self.pointer(env),
                          'gt = ' + self.node(env),
                          'gs = append(gs[:len(gs)%%7], %s)' %
                          self.pointer(env),
                          'gm[%d] = %s' % (r.randrange(4), self.node(env)),
                          'note(scrub(2))']))
        elif k == 10:
            put('note(%s)' % self.integer(env))
        elif k == 11:
            v = self.name('s')
            put('%s := []*int{%s, %s}' % (v, self.pointer(env),
                                          self.pointer(env)))
            put('*%s[%d]++' % (v, r.randrange(2)))
            put('%s = %s[%d]' % (self.pick(env, 'p'), v, r.randrange(2)))
        elif k == 12:
            v = self.name('v')
            put('%s := T{a: %s, p: %s}' % (v, self.integer(env),
                                           self.pointer(env)))
            put('%s = &%s' % (self.pick(env, 't'), v))
        elif k == 13:
            a, b = self.pick(env, 'p'), self.pick(env, 'p')
            put('%s, %s = %s, %s' % (a, b, self.pointer(env),
                                     self.pointer(env)) if a != b else
                'note(*%s)' % a)
        elif k == 14:
            v = self.name('a')
            put('var %s [3]*int' % v)
            put('%s[1] = %s' % (v, self.pointer(env)))
            put('for _, q := range %s { if q != nil { *q++; %s = q } }' %
                (v, self.pick(env, 'p')))
        elif k == 15:
            v = self.name('e')
            put('var %s any = %s' % (v, self.node(env)))
            put('if q, ok := %s.(*T); ok { q.a++; %s = q }' %
                (v, self.pick(env, 't')))
        elif k == 16:
            v = self.name('pp')
            put('%s := &%s' % (v, self.pick(env, 'p')))
            put('*%s = %s' % (v, self.pointer(env)))
        elif k == 17:
            put('*%s = func() T { v := T{a: %s}; v.p = &v.b; return v }()' %
                (self.pick(env, 't'), self.integer(env)))
        elif k <= 20:
            # Slots of other kinds are used and left.
            v = self.name('n')
            put(r.choice([
                'if %s, ok := gn[%s%%5]; ok && %s > %s { note(%s) }' %
                (v, self.pick(env, 'i'), v, self.integer(env), v),
                'if %s, ok := gm[%s%%5]; ok { note(%s.a) }' %
                (v, self.pick(env, 'i'), v),
                '%s := append(gs[:0:0], %s); note(*%s[0])' %
                (v, self.pointer(env), v),
                'gn[%d] = %s' % (r.randrange(5), self.integer(env))]))
        elif k == 21:
            put('defer func() { %s.a++; note(%s) }()' %
                (self.pick(env, 't'), self.integer(env)))
        elif k == 22:
            put('%s, %s = N%d(%s, %s)' % (
                self.pick(env, 'p'), self.pick(env, 't'),
                r.randrange(self.nmakers), self.pointer(env), self.node(env)))
        elif k == 23:
            put('%skeep(N%d(%s, %s))' % (
                r.choice(['', 'defer ', '*']) if literals else '',
                r.randrange(self.nmakers), self.pointer(env),
                self.pick(env, 't')))
            if self.out[-1].lstrip().startswith('*'):
                self.out[-1] += '++'
        else:
            put('%s.next = %s' % (self.pick(env, 't'), self.node(env)))

    def maker(self, i):
        """M returns what it makes; N that and a pointer.  Without literals, so
        that their callers can lend them memory."""
        r = self.r
        for name, res in ('M', '*T'), ('N', '(*int, *T)'):
            two = name == 'N'
            env = ['i0', 'p0', 't0', 'tx']
            self.out.append('func %s%d(p0 *int, t0 *T) %s {' % (name, i, res))
            self.out.append('\tif burn() { return %st0 }' %
                            ('p0, ' if two else ''))
            self.out.append('\ti0 := *p0 + %d' % i)
            self.out.append('\ttx := &T{a: i0}; _ = tx')
            for _ in range(r.randrange(5)):
                if r.randrange(4):
                    self.simple(env, '\t', False)
                    continue
                self.out.append('\t%s %s > %s {' % (
                    r.choice(['if', 'for !burn() &&']), self.integer(env),
                    self.integer(env)))
                inner = list(env)
                for _ in range(3):
                    self.simple(inner, '\t\t', False)
                self.out.append('\t}')
            self.out.append('\treturn %s%s' % (
                self.pointer(env) + ', ' if two else '', self.node(env)))
            self.out.append('}')

    def stmt(self, env, depth, pad):
        r = self.r
        k = r.randrange(16)
        inner = pad + '\t'
        if depth == 0 or k < 8:
            self.simple(env, pad)
            return
        put = self.out.append
        if k == 8:
            v = self.name('i')
            put('%sfor %s := 0; %s < %d; %s++ {' % (pad, v, v,
                                                     r.randrange(2, 5), v))
            put(inner + 'if burn() { break }')
            self.block(env + [v], depth - 1, inner)
        elif k == 9:
            v = self.name('i')
            put('%sfor %s := range upto(%d) {' % (pad, v, r.randrange(2, 5)))
            put(inner + 'if burn() || %s < 0 { break }' % v)
            self.block(env + [v], depth - 1, inner)
        elif k == 10:
            v = self.name('i')
            put('%seach(%d, func(%s int) {' % (pad, r.randrange(2, 4), v))
            put(inner + 'if burn() { return }')
            self.block(env + [v], depth - 1, inner)
            put(pad + '})')
            return
        elif k == 11:
            f = self.name('f')
            put('%s%s := func() int {' % (pad, f))
            put(inner + 'if burn() { return 1 }')
            self.block(env, depth - 1, inner,
                       ['return ' + self.pick(env, 'i')])
            put(pad + '}')
            put('%snote(%s())' % (pad, f))
            if r.randrange(3) == 0:
                put('%sgf = %s' % (pad, f))
            return
        elif k == 12:
            put('%sfunc() {' % pad)
            put(inner + 'defer func() { recover(); note(%s); %s++ }()' %
                (self.integer(env), self.pick(env, 'i')))
            self.block(env, depth - 1, inner)
            put(inner + 'if %s%%3 == 0 { panic(1) }' % self.pick(env, 'i'))
            put(pad + '}()')
            return
        elif k == 13:
            v = self.name('p')
            put('%sfor %s, n := %s, 0; n < 3; n++ {' %
                (pad, v, self.pointer(env)))
            put(inner + 'if burn() { break }')
            self.block(env + [v], depth - 1, inner, ['*%s += n' % v])
        else:
            put('%sif %s > %s {' % (pad, self.integer(env), self.integer(env)))
            self.block(env, depth - 1, inner)
        put(pad + '}')

    def program(self):
        for i in range(self.nmakers):
            self.maker(i)
        for i in range(self.nfuncs):
            self.out.append('func F%d(p0 *int, t0 *T) (ret *int) {' % i)
            self.out.append('\tif burn() { return p0 }')
            self.out.append('\ti0 := *p0 + %d' % i)
            self.out.append('\tret, _ = p0, i0')
            self.block(['i0', 'p0', 't0', 'p0'], 3, '\t',
                       [self.r.choice(['return', 'return p0',
                                       'return &t0.a', 'return &i0'])])
            self.out.append('}')
        calls = '; '.join('note(*F%d(&x, t))' % i
                          for i in range(self.nfuncs))
        return HEAD + '\n'.join(self.out) + TAIL % calls


if __name__ == '__main__':
    sys.exit(beside_go.main(__doc__, lambda rnd: Writer(rnd).program()))
