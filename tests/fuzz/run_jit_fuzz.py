#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs, interpreted and as machine code.

Each program has functions of random statements: integers of all widths,
floats, strings, slices, structs, interfaces, closures, loops, switches, calls
of each other, panics that are recovered.  It prints what becomes of all
variables.  All ways to run it must print the same; the first is the
interpreter.  With --go the real go says what is right.

The seed is printed; --seed replays it, --keep keeps the programs that failed.
For campaigns, --batch puts several programs into one file, as starting vole and
loading package fmt cost more than a program's run: what differs is run again
alone.  With --turn each batch is run without machine code, with it when it is
hot, with it from the first call on, and by one other way in turn.

  run_jit_fuzz.py --seed 7 --batch 16 --turn --jobs 2 --first 40000 -n 250000
"""

import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

WAYS = ['jit=0', 'jit=2', 'jit=2,jitregs=2', 'jit=2,jitmemory=1',
        'jit=2,jitexit=3', 'jit=1', 'jit=2,gcstress=97',
        'jit=1,jitlater=1', 'jit=2,jitlater=1']
# Likewise, of checked forms.
RACE_WAYS = ['jit=2', 'jit=2,jitregs=2', 'jit=2,jitexit=3']
ALL_WAYS = [([], way) for way in WAYS] + [(['-race'], way) for way in RACE_WAYS]
# The interpreter, and where machine code differs most.
MAIN_WAYS = [([], 'jit=0'), ([], 'jit=1'), ([], 'jit=2')]
OTHER_WAYS = [way for way in ALL_WAYS if way not in MAIN_WAYS]

INTS = ['int', 'int8', 'int16', 'int32', 'int64', 'uint', 'uint8', 'uint16',
        'uint32', 'uint64']
FLOATS = ['float32', 'float64']

HEAD = '''package main

import (
	"fmt"
	"math"
)

type pair struct {
	a int
	b string
	c float64
}

// Fields that share words.
type small struct {
	a int8
	b uint16
	c int32
	d float32
	e uint8
	f bool
}

// Less than a word, and a word and a part.
type color struct{ r, g, b uint8 }
type five struct {
	a    [3]int16
	b, c uint16
}

type shape interface{ area(n int) int }
type square struct{ side int }
type line int

func (s *square) area(n int) int { return s.side*s.side + n }
func (l line) area(n int) int    { return int(l) - n }

var global int
var fuel = 3000
var shown int // so many calls more print all their variables
var sum uint64 // of those of the others

func mix(vs ...uint64) {
	for _, v := range vs {
		sum = sum*1099511628211 + v
	}
}

func bits(f float64) uint64 {
	if f != f {
		return 1
	}
	return math.Float64bits(f)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func try(f func(int, string) int, n int, s string) (r int) {
	defer func() {
		if e := recover(); e != nil {
			println(text(e))
			r = -1
		}
	}()
	return f(n, s)
}

func text(e any) string {
	if e == nil {
		return ""
	}
	return fmt.Sprint(e)
}

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func each[T any](v []T) func(func(int, T) bool) {
	return func(yield func(int, T) bool) {
		for i, e := range v {
			if !yield(i, e) {
				return
			}
		}
	}
}

func filter(s func(func(int) bool), keep func(int) bool) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range s {
			if keep(i) && !yield(i) {
				return
			}
		}
	}
}

func take(s func(func(int) bool), n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range s {
			if n--; n < 0 || !yield(i) {
				break
			}
		}
	}
}

func twice(f func(int) int, s func(func(int) bool)) func(func(int) bool) {
	return func(yield func(int) bool) {
		s(func(i int) bool { return yield(i) && yield(f(i)) })
	}
}

// The order is anybody's: there is one at most.
func entry(k, v int) func(func(int, int) bool) {
	m := map[int]int{k: v}
	if v&7 == 3 {
		delete(m, k)
	}
	return func(yield func(int, int) bool) {
		for k, v := range m {
			if !yield(k, v) {
				return
			}
		}
	}
}

// One that goes on, whatever its loop says.
func stubborn(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			yield(i)
		}
	}
}

'''


MAIN = '''func main() {
	ended := make(chan bool)
	go func() {
		defer close(ended)
%s	}()
	<-ended
}
'''


class Program:
    """The functions of one program; in a file of several, they are numbered
    from first on."""

    def __init__(self, rng, first=0):
        self.rng = rng
        self.first = first
        self.out = []
        self.depth = 0
        self.loops = []  # those around: where each begins, and if it has a label
        self.iterates = False
        self.n = rng.randrange(2, 5)

    def pick(self, *choices):
        """One of them; what takes long to make is a function that makes it."""
        one = self.rng.choice(choices)
        return one() if callable(one) else one

    def variable(self, kind):
        return '%s%d' % (kind[0] + kind[-2:] if kind[-1].isdigit() else
                         kind[0] + 'n', self.rng.randrange(2))

    def number(self, kind):
        if kind in FLOATS:
            return self.pick('3', '1.5', '-2.25', '1e10', '0.1', '-1')
        if kind.startswith('u'):
            return str(self.pick(1, 2, 3, 7, 63, 64, 100, 127, 255))
        return str(self.pick(1, -1, 2, 3, -7, 10, 63, 100, 127, -128))

    def index(self):
        """Mostly in range."""
        if self.rng.random() < 0.1:
            return self.expr('int', 1)
        return 'uint8(%s)%%%d' % (self.expr('int', 2), self.rng.randrange(1, 4))

    def special(self, depth):
        return self.pick(
            'len(s0)', 'len(s1)', lambda: 'int(s0[%s])' % self.index(),
            lambda: 'v%d[%s]' % (self.rng.randrange(2), self.index()),
            'cap(v0)', 'p0.a', 'len(p1.b)', lambda: 'int(q%d.%s)' % (
                self.rng.randrange(2), self.pick('a', 'b', 'c', 'e')),
            lambda: 'sh.area(%s)' % self.expr('int', depth + 1),
            lambda: 'm[%s]' % self.expr('int', 2),
            lambda: 'fn(%s)' % self.expr('int', depth + 1), 'len(m)')

    def expr(self, kind, depth=0):
        """Never a constant, whose overflow the compiler would refuse."""
        r = self.rng.random()
        if depth > 2 or r < 0.25:
            return self.variable(kind)
        if r < 0.38:
            return '%s(%s)' % (kind, self.expr(
                self.rng.choice(FLOATS if kind in FLOATS else INTS), depth + 1))
        right = self.number(kind) if self.rng.random() < 0.4 else \
            self.expr(kind, depth + 1)
        if kind in FLOATS:
            return '(%s %s %s)' % (self.expr(kind, depth + 1),
                                   self.pick('+', '-', '*', '/'), right)
        if r < 0.45:
            return '(%s %s (%s %% 70))' % (
                self.expr(kind, depth + 1), self.pick('<<', '>>'),
                self.expr(self.pick('uint', 'uint8', 'uint32'), depth + 1))
        if r < 0.56 and kind == 'int':
            return self.special(depth)
        if r < 0.62:
            return '(%s%s)' % (self.pick('-', '^'), self.expr(kind, depth + 1))
        if r < 0.72:
            return '(%s %s %s)' % (self.expr(kind, depth + 1),
                                   self.pick('/', '%'), self.number(kind))
        return '(%s %s %s)' % (
            self.expr(kind, depth + 1), self.pick(
                '+', '-', '*', '&', '|', '^', '&^', '+', '-', '/'), right)

    def part(self):
        name, kind = self.pick(('a', 'int8'), ('b', 'uint16'), ('c', 'int32'),
                               ('d', 'float32'), ('e', 'uint8'))
        if self.rng.random() < 0.2:
            return 'f', self.condition()
        return name, self.expr(kind, 1)

    def condition(self):
        r = self.rng.random()
        if r < 0.12:
            return 's%d %s s%d' % (self.rng.randrange(2), self.pick(
                '==', '!=', '<', '<='), self.rng.randrange(2))
        if r < 0.2:
            return self.pick('p0 == p1', 'x == any(in0)', 'x != nil',
                             's0 == "abc"', 'len(v0) < len(v1)')
        if r < 0.3:
            return '(%s %s %s)' % (self.condition(), self.pick('&&', '||'),
                                   self.condition())
        kind = self.rng.choice(INTS + FLOATS)
        return '%s %s %s' % (self.expr(kind, 1), self.pick(
            '<', '<=', '==', '!=', '>', '>='), self.expr(kind, 1))

    def put(self, text):
        self.out.append('\t' * (self.depth + 1) + text)

    def block(self, n):
        self.depth += 1
        for _ in range(n):
            self.statement()
        self.depth -= 1

    def statement(self):
        r = self.rng.random()
        kind = self.rng.choice(INTS + FLOATS)
        two = self.rng.randrange(2)
        if r < 0.4 or self.depth > 3:
            self.put('%s %s %s' % (self.variable(kind), self.pick(
                '=', '=', '+=', '-=', '*='), self.expr(kind)))
        elif r < 0.62:
            self.put('if len(s0) + len(s1) > 400 { s0, s1 = s1[:2], "ab" }')
            self.put(self.pick(
                's%d = s0 + s1[:len(s1)/2]' % two,
                lambda: 's%d = s%d[%s:]' % (two, 1 - two, self.index()),
                's%d = string(rune(97 + uint8(in%d)%%20)) + s0' % (two, two),
                lambda: 'v%d = append(v%d, %s)' % (
                    two, 1 - two, self.expr('int', 1)),
                lambda: 'v%d[%s] = %s' % (
                    two, self.index(), self.expr('int', 2)),
                lambda: 'v%d = v0[%s:2+%s]' % (two, self.index(), self.index()),
                'v0, v1 = v1, v0', 'p0, p1 = p1, p0',
                lambda: 'p%d.a += %s' % (two, self.expr('int', 1)),
                lambda: 'p%d.b += "y"; p%d.c = %s' % (
                    two, two, self.expr('float64', 1)),
                lambda: 'q%d.%s = %s' % ((two,) + self.part()),
                'q%d = q%d' % (two, 1 - two),
                'cs[in%d & 7] = color{uint8(in%d), 2, cs[%d].r}' % (
                    two, 1 - two, self.rng.randrange(8)),
                'cs[in%d & 7], cs[%d] = cs[%d], cs[in%d & 7]' % (
                    two, self.rng.randrange(8), self.rng.randrange(8),
                    1 - two),
                'if cs[in%d & 7] == cs[%d] { fs[0], fs[1] = fs[1], fs[0] }' % (
                    two, self.rng.randrange(8)),
                'if fs[%d] != fs[in%d & 3] { in%d++ }' % (
                    self.rng.randrange(4), two, two),
                'fs[in%d & 3] = five{c: u16%d, a: fs[%d].a}' % (
                    two, two, self.rng.randrange(4)),
                'ps = append(ps, p%d); p%d = ps[len(ps)/2]' % (two, 1 - two),
                lambda: 'x = %s' % self.pick(
                    'in0', 's0', 'p0', 'fn', 'nil', 'it80', '&p1', 'f640'),
                lambda: 'if y, ok := x.(%s); ok { global++; _ = y }' %
                self.pick('int', 'string', 'pair', '*pair', 'float64',
                          'shape'),
                lambda: 'm[%s] = in%d' % (self.expr('int', 2), two),
                lambda: 'delete(m, %s)' % self.expr('int', 2),
                lambda: 'sh = %s' % self.pick('&square{in0}', 'line(in1)'),
                'in%d = f%d(in%d, s0)' % (
                    two, self.first + self.rng.randrange(self.n), two),
                'if in0 > 1000 { panic("large") }'))
        elif r < 0.74:
            self.put('if %s {' % self.condition())
            self.block(self.rng.randrange(1, 4))
            if self.rng.random() < 0.5:
                self.put('} else {')
                self.block(self.rng.randrange(1, 3))
            self.put('}')
        elif r < 0.88 and self.iterates:
            self.loop_over_function()
        elif r < 0.88:
            i = 'i%d' % self.depth
            self.put(self.pick(
                'for %s := 0; %s < %d; %s++ {' % (i, i, self.rng.randrange(
                    1, 8), i),
                'for %s, e := range v%d {' % (i, two),
                'for %s, e := range s%d {' % (i, two)))
            ranges = 'range' in self.out[-1]
            self.depth += 1
            self.put('if fuel--; fuel < 0 { panic("fuel") }')
            if ranges:
                self.put('in%d += %s + int(e)' % (two, i))
            self.depth -= 1
            self.block(self.rng.randrange(1, 4))
            self.put('}')
        else:
            self.put('switch %s %% 6 {' % self.expr('int', 1))
            for k in range(self.rng.randrange(1, 6)):
                self.put('case %d:' % k)
                self.block(self.rng.randrange(1, 3))
            self.put('}')

    def iterator(self, depth=0):
        r = self.rng.random()
        if depth > 2 or r < 0.4:
            return 'count(%d)' % self.rng.randrange(1, 8)
        if r < 0.6:
            return 'filter(%s, func(n int) bool { return %s })' % (
                self.iterator(depth + 1),
                self.pick('n&1 == 0', 'n < in0', self.condition))
        if r < 0.8:
            return 'take(%s, int(%s))' % (self.iterator(depth + 1),
                                     self.pick('3', self.index))
        if r < 0.95:
            return 'twice(fn, %s)' % self.iterator(depth + 1)
        return 'stubborn(%d)' % self.rng.randrange(1, 4)

    def leave(self):
        """A way out of the loops around, or on."""
        i = self.rng.randrange(len(self.loops))
        how = self.pick('break', 'continue', 'break', 'continue', 'return')
        if how == 'return':
            return 'return ' + self.expr('int', 1)
        if i < len(self.loops) - 1 or self.rng.random() < 0.2:
            self.loops[i][1] = True
            how += ' L%d' % self.loops[i][0]
        return how

    def loop_over_function(self):
        i, two = 'i%d' % self.depth, self.rng.randrange(2)
        begins = len(self.out)
        self.put('for %s' % self.pick(
            lambda: '%s := range %s {' % (i, self.iterator()),
            lambda: '%s := range %s {' % (i, self.iterator()),
            '%s, e := range each(v%d) {' % (i, two),
            '%s, e := range entry(in%d, len(v%d)) {' % (i, two, two),
            '%s, e := range each(fs[:]) {' % i,
            '%s, e := range each([]string{s0, s1, "c"}) {' % i))
        self.depth += 1
        self.put('if fuel--; fuel < 0 { panic("fuel") }')
        if ', e ' in self.out[begins]:
            self.put('in%d += %s' % (two, 'e' if '(v' in self.out[begins]
                                     or '(in' in self.out[begins] else 'len(e)' if 'string' in
                                     self.out[begins] else 'int(e.b)'))
        if self.rng.random() < 0.1:
            self.put('defer func() { in1 += %s }()' % i)
        self.put('in%d += %s' % (two, i))
        self.depth -= 1
        self.loops.append([begins, False])
        for _ in range(self.rng.randrange(1, 4)):
            self.block(1)
            if self.rng.random() < 0.5:
                self.put('\tif %s { %s }' % (self.condition(), self.leave()))
        self.put('}')
        if self.loops.pop()[1]:
            self.out[begins] = 'L%d:\n%s' % (begins, self.out[begins])

    def function(self, i):
        self.iterates = self.rng.random() < 0.4
        names = [k[0] + k[-2:] if k[-1].isdigit() else k[0] + 'n'
                 for k in INTS + FLOATS]
        self.put_line('func f%d(in0 int, s0 string) (in1 int) {' % i)
        self.put('if fuel--; fuel < 0 { return 1 }')
        for kind, name in zip(INTS + FLOATS, names):
            for k in range(2):
                if (kind, k) != ('int', 0) and (kind, k) != ('int', 1):
                    self.put('%s%d := %s(in0)' % (name, k, kind))
        for text in ('s1 := "hällo" + s0', 'v0, v1 := []int{1, in0, 3}, '
                     'make([]int, 2, 5)', 'p0, p1 := pair{1, s0, 2}, pair{}',
                     'q0, q1 := small{a: int8(in0)}, small{f: true}',
                     'cs, fs := make([]color, 8), new([4]five)',
                     'ps := []pair{}', 'm := map[int]int{1: in0}', 'var x any',
                     'var sh shape = line(3)',
                     'fn := func(n int) int { in1 += n; return in1 ^ in0 }'):
            self.put(text)
        self.put('_, _, _, _, _, _, _, _ = p1, x, sh, fn, v1, q1, cs, fs')
        # Variables that a deferred function looks at are not in registers:
        # other functions tell themselves, and what they panic with, is their
        # callers'.
        defers = self.rng.random() < 0.5
        if defers:
            self.put('defer func() {')
            self.depth += 1
            self.tell(i, names, 'text(recover())')
            self.depth -= 1
            self.put('}()')
        for _ in range(self.rng.randrange(4, 14)):
            self.statement()
        if not defers:
            self.tell(i, names, '""')
        self.put('return in1 + in0')
        self.put_line('}\n')

    def tell(self, i, names, how):
        """Prints the variables of function i."""
        self.put('println("f%d", %s, in1, in0, len(s0), s1, len(v0), cap(v1), '
                 'p0.a, p0.b, len(ps), len(m), global)' % (i, how))
        ints, floats = (['%s%d' % (n, k) for n in part for k in range(2)]
                        for part in (names[1:10], names[10:]))
        rest = ['text(x) != ""', 'text(sh) != ""', 'fn != nil', 'q0.f', 'q1.f',
                'q0 == q1']
        ints += ['q%d.%s' % (k, n) for k in range(2) for n in 'abce']
        ints += ['cs[%d].%s' % (k, n) for k in range(0, 8, 3) for n in 'rgb']
        ints += ['fs[%d].%s' % (k, n) for k in range(4) for n in 'bc']
        floats += ['q0.d', 'q1.d']
        # Thousands of calls print for longer than they run: of most there is a
        # sum.
        self.put('if shown--; shown < 0 {')
        self.put('\tmix(%s)' % ', '.join('uint64(%s)' % n for n in ints))
        self.put('\tmix(%s)' % ', '.join(
            'bits(float64(%s))' % n for n in floats))
        self.put('\tmix(%s)' % ', '.join('bit(%s)' % n for n in rest))
        self.put('} else {')
        for part in (ints, floats, rest):
            self.put('\tprintln(%s)' % ', '.join(part))
        self.put('}')

    def put_line(self, text):
        self.out.append(text)

    def make(self):
        for i in range(self.n):
            self.function(self.first + i)
        self.put_line('func beside%d() {' % self.first)
        self.put('global, sum = 0, 0')
        for i in range(self.n):
            self.put('for k := -2; k < 4; k++ {')
            self.put('\tfuel, shown = 3000, 30')
            self.put('\tprintln(try(f%d, k*k*k, "abc"[:2+k%%2]))' % (
                self.first + i))
            self.put('\tprintln(sum)')
            self.put('}')
        self.put_line('}\n')
        return '\n'.join(self.out)


def make(seed, numbers):
    """The text of these programs of the seed."""
    out, calls, first = [HEAD], [], 0
    for i in numbers:
        p = Program(random.Random(seed * 1000003 + i), first)
        out.append(p.make())
        calls.append('\t\tbeside%d()\n' % first)
        first += p.n
    # In a goroutine beside main, whose accesses are checked with -race.
    return ''.join(out) + MAIN % ''.join(calls)


def run(words, env, timeout):
    r = common.run(words, timeout=timeout, env=env)
    return r.trouble() or (r.status, r.out, r.err)


class Campaign:
    """Runs programs of a seed, and counts."""

    def __init__(self, opt, work):
        self.opt = opt
        self.work = work
        self.vole = shlex.split(opt.vole)

    def by_go(self, path):
        """What the real go's program does.  Its optimiser would be one more
        thing under test: Go 1.26.8's was found to take int64(x) for
        int64(uint8(x))."""
        exe = path[:-len('.go')]
        r = subprocess.run(['go', 'build', '-gcflags=-N -l', '-o', exe, path],
                           capture_output=True, text=True, check=False,
                           env=dict(os.environ, **common.go_env()))
        if r.returncode != 0:
            return 1, '', r.stderr
        want = run([exe], None, self.opt.timeout)
        os.remove(exe)
        return want

    def one(self, numbers, ways):
        """How many programs were well, were refused, and ran by how many ways
        in all, and the messages about those that were not well."""
        path = os.path.join(self.work, 'p%d.go' % numbers[0])
        with open(path, 'w', encoding='utf-8') as f:
            f.write(make(self.opt.seed, numbers))
        want = self.by_go(path) if self.opt.go else None
        runs, wrong = 0, None
        for flags, way in ways:
            if want and want[0] == 1:
                break
            got = run(self.vole + flags + [path], {'VOLEDEBUG': way},
                      self.opt.timeout)
            runs += len(numbers)
            want = want or got
            if got != want:
                # A crash or a hang is called that.
                wrong = ' '.join(flags + [way] + (
                    ['(%s)' % got] if isinstance(got, str) else []))
                break
            # What comes after an early end says nothing.
            if want[0] != 0 and len(numbers) > 1:
                break
        os.remove(path)
        if len(numbers) > 1 and (wrong or want[0] != 0):
            return self.each(numbers, ways, wrong)
        if wrong:
            return 0, 0, runs, [self.differs(numbers, wrong)]
        # One that is refused says nothing.
        refused = len(numbers) if want[0] == 1 else 0
        return len(numbers) - refused, refused, runs, []

    def each(self, numbers, ways, wrong):
        """The same when one of several programs is the cause."""
        found = [self.one([i], ways) for i in numbers]
        good, dull, runs = (sum(f[k] for f in found) for k in range(3))
        said = [text for f in found for text in f[3]]
        if wrong and not said:
            return 0, 0, runs, [self.differs(numbers, wrong)]
        return good, dull, runs, said

    def differs(self, numbers, way):
        if self.opt.keep:
            os.makedirs(self.opt.keep, exist_ok=True)
            name = 'jit-%d-%d.go' % (self.opt.seed, numbers[0])
            with open(os.path.join(self.opt.keep, name), 'w',
                      encoding='utf-8') as f:
                f.write(make(self.opt.seed, numbers))
        return 'program %d%s of seed %d differs with %s' % (
            numbers[0], ' to %d, but none of them alone,' % numbers[-1]
            if len(numbers) > 1 else '', self.opt.seed, way)

    def all(self):
        """(good, bad, refused) of all programs."""
        opt = self.opt
        end = opt.first + opt.n
        good = dull = runs = 0
        said = []
        began = told = time.monotonic()

        def batch(k):
            if opt.minutes and time.monotonic() > began + 60 * opt.minutes:
                return None
            ways = MAIN_WAYS + [OTHER_WAYS[k // opt.batch % len(OTHER_WAYS)]] \
                if opt.turn else ALL_WAYS
            return self.one(range(k, min(k + opt.batch, end)), ways)

        starts = range(opt.first, end, opt.batch)
        for k, found in common.parallel(batch, starts, opt.jobs):
            if found is None:
                print('time is up: go on with --seed %d --first %d' %
                      (opt.seed, k))
                break
            good += found[0]
            dull += found[1]
            runs += found[2]
            said += found[3]
            for text in found[3]:
                print(text, flush=True)
            if time.monotonic() > told + 60 or k == starts[-1]:
                told = time.monotonic()
                print('up to program %d: %d runs in %d s' % (
                    min(k + opt.batch, end), runs, told - began), flush=True)
        return good, len(said), dull


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', metavar='CMD',
                    default=common.default_vole())
    ap.add_argument('--seed', type=int, default=random.randrange(1 << 30))
    ap.add_argument('--first', type=int, default=0, help='its first program')
    ap.add_argument('-n', type=int, default=200)
    ap.add_argument('--minutes', type=float, help='no longer than that')
    ap.add_argument('--batch', type=int, default=1, help='programs in a file')
    ap.add_argument('--turn', action='store_true')
    ap.add_argument('--jobs', type=int, default=1)
    ap.add_argument('--go', action='store_true')
    ap.add_argument('--keep', metavar='DIR')
    ap.add_argument('--timeout', type=float, default=60)
    opt = ap.parse_args()
    print('seed', opt.seed, flush=True)
    with tempfile.TemporaryDirectory() as work:
        good, bad, dull = Campaign(opt, work).all()
    print('%d passed, %d failed, %d skipped' % (good, bad, dull))
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
