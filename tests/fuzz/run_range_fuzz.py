#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random nests of loops over functions: what vole prints, real go must print.

Bodies break, continue, return, go to labels of loops around them, defer and
panic; the functions that they are given to pass them on, stop early, go on
although they have been told to stop, catch what bodies throw, or keep bodies,
which are called once their loops are over.

The seed is printed; --seed replays it, --keep keeps programs that differ.
"""

import sys

import beside_go

HEAD = '''package main

import (
	"fmt"
	"iter"
)

var (
	total int
	kept  func(int) bool
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func pass(s iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		for v := range s {
			if !yield(v) {
				return
			}
		}
	}
}

func take(s iter.Seq[int], n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		i := 0
		for v := range s {
			if i >= n {
				return
			}
			i++
			if !yield(v) {
				return
			}
		}
	}
}

//go:noinline
func hide(s iter.Seq[int], yield func(int) bool) { s(yield) }

func hidden(s iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) { hide(s, yield) }
}

func keep(s iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) { kept = yield; s(yield) }
}

func rethrow(s iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer func() {
			if r := recover(); r != nil {
				panic(fmt.Sprint("again ", r))
			}
		}()
		s(yield)
	}
}

func deaf(s iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		k := 0
		s(func(v int) bool { k++; return yield(v) || (total+k)%11 == 0 })
	}
}

type list struct {
	v    int
	next *list
}

func list_of(n int) (l *list) {
	for i := range n {
		l = &list{i, l}
	}
	return l
}

func (l *list) each(yield func(int) bool) {
	for ; l != nil; l = l.next {
		if !yield(l.v) {
			return
		}
	}
}

func (l *list) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for p := l; p != nil; p = p.next {
			if !yield(p.v) {
				return
			}
		}
	}
}
'''

TAIL = '''
func caught(f func() string) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint("panic: ", r)
		}
	}()
	return f()
}

func late() string {
	if kept == nil {
		return "none"
	}
	k := kept
	kept = nil
	return fmt.Sprint(k(1))
}

func main() {
	for k, f := range []func(int) int{%s} {
		hash := 0
		for i := 0; i < 60; i++ {
			s := caught(func() string { return fmt.Sprint(f(i %% 7)) })
			l := caught(late)
			for _, c := range s + l {
				hash = hash*31 + int(c)
			}
			if i < 3 {
				fmt.Println(k, i, s, l, total)
			}
		}
		fmt.Println(k, hash, total)
	}
}
'''

FUNCS = 6
DEPTH = 3
OVER = ['count(%d)', 'hidden(count(%d))', 'pass(count(%d))',
        'take(pass(count(40)), %d)', 'take(hidden(count(40)), %d)',
        'deaf(count(%d))', 'list_of(%d).all()', 'list_of(%d).each',
        'pass(hidden(pass(count(%d))))', 'keep(count(%d))',
        'rethrow(count(%d))']


class Writer:
    def __init__(self, r):
        self.r = r
        self.nloops = 0
        self.used = set()     # labels that something leads to
        self.to_end = False

    def leave(self, depth, labels, names):
        """A way out of the body, or of more."""
        r = self.r
        ways = ['continue', 'break', 'return s + %d' % r.randrange(1, 100),
                'return q - u']
        for label in labels:
            ways += ['break ' + label, 'continue ' + label]
        if r.random() < .15:
            ways.append('panic(u)')
        if r.random() < .2 and depth > 0:
            ways.append('goto end')
        way = r.choice(ways)
        self.to_end |= way == 'goto end'
        self.used.update(x for x in labels if way.endswith(' ' + x))
        cond = '(%s+%s)%%%d == %d' % (r.choice(names + ['u']),
                                      r.choice(names + ['q']),
                                      r.randrange(2, 8), r.randrange(4))
        return 'if %s { %s }' % (cond, way)

    def body(self, depth, labels, names):
        r = self.r
        lines = []
        for _ in range(r.randrange(1, 4)):
            k = r.random()
            if k < .3:
                lines.append('%s = %s*3 + %s' % (
                    r.choice('squ'), r.choice(['s', 'q', 'u'] + names),
                    r.choice(names + ['1'])))
            elif k < .55:
                lines.append(self.leave(depth, labels, names))
            elif k < .58:
                lines.append('defer func() { total += %s }()' %
                             r.choice(names + ['s']))
            elif k < .7:
                lines.append('sl = append(sl, %s)' % r.choice(names + ['s']))
            elif depth < DEPTH:
                lines += self.loop(depth + 1, labels, names)
        return lines + ['u++']

    def loop(self, depth, labels, names):
        r = self.r
        self.nloops += 1
        label, v = 'L%d' % self.nloops, 'v%d' % self.nloops
        lines = self.body(depth, labels + [label], names + [v])
        kind = r.random()
        if kind < .75:
            head = '%s := range %s' % (v, r.choice(OVER) % r.randrange(6))
        elif kind < .88:
            head = '%s := range %d' % (v, r.randrange(5))
        else:
            head = '%s := 0; %s < %d; %s++' % (v, v, r.randrange(1, 5), v)
        begin = [label + ':'] if label in self.used else []
        return begin + ['for %s {' % head, '_ = ' + v] + lines + ['}']

    def func(self, i):
        self.used = set()
        self.to_end = False
        lines = []
        for _ in range(self.r.randrange(1, 3)):
            lines += self.loop(1, [], ['n'])
        if self.to_end: # nothing may be declared between
            lines = ['{'] + lines + ['}', 'end:']
        return ('\nfunc f%d(n int) (r int) {\nvar s, q, u int\nvar sl []int\n'
                'defer func() { total += len(sl) }()\n%s\nreturn s + q + u\n}\n'
                % (i, '\n'.join(lines)))

    def program(self):
        funcs = ''.join(self.func(i) for i in range(FUNCS))
        names = ', '.join('f%d' % i for i in range(FUNCS))
        return HEAD + funcs + TAIL % names


if __name__ == '__main__':
    sys.exit(beside_go.main(__doc__, lambda rnd: Writer(rnd).program()))
