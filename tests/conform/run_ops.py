#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every operation on numbers in machine code and in the interpreter.

A Go program is made here, with a function for each operation and type.  Each
has the operation with variables, with constants on either side, with the same
variable twice and with the result in an operand's place, and is called for a
grid of values; the program prints a hash of each function's results.  What it
prints must not depend on how it is run: interpreted, with machine code of hot
functions, of all, with one or three registers of each kind, with each second
or third instruction left to the interpreter.  Where there is a real go, it has
to print the same.

Usage: run_ops.py [--vole CMD] [--keep FILE]
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

RUNS = ['jit=0', 'jit=1', 'jit=2', 'jit=2,jitregs=1', 'jit=2,jitregs=3',
        'jit=2,jitexit=2', 'jit=2,jitexit=3', 'jit=2,jitmemory=1']

HEAD = '''package main

import (
	"fmt"
	"math"
	"sync/atomic"
)

// Every operation on numbers, with operands of all kinds: in variables, of
// constants, the same twice, the result in an operand's place; over a grid of
// values.  Each line is a hash of the results.  The functions are called often
// enough to become machine code.

type hash uint64

func (h *hash) add(x uint64) { *h = (*h ^ hash(x)) * 1099511628211 }

var ints = []int64{0, 1, -1, 2, 3, 7, 8, -8, 63, 64, 65, 127, 128, -129, 255,
	1000, 65535, -65536, 1<<31 - 1, 1 << 31, -1 << 31, 1<<32 + 5,
	1<<63 - 1, -1 << 63}

var floats = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1.5, -2.5, 3,
	1e10, -1e19, 1e300, 5e-324, 1 << 53, math.Inf(1), math.Inf(-1), math.NaN()}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
'''

OPERATORS = ['+', '-', '*', '&', '|', '^', '&^']
RELATIONS = ['==', '!=', '<', '<=', '>', '>=']
TYPES = ['int64', 'int32', 'uint32', 'int16', 'uint16', 'int8', 'uint8',
         'uint64']
INT, FLOAT = 'x, y int64', 'x, y float64'


class Program:
    def __init__(self):
        self.text = HEAD
        self.names = {INT: [], FLOAT: []}

    def func(self, name, params, *lines):
        result = 'int64' if params == INT else 'uint64'
        self.names[params].append(name)
        self.text += '\nfunc %s(%s) %s {\n%s\n}\n' % (
            name, params, result, '\n'.join('\t' + li for li in lines))

    def table(self, params):
        return '{%s}' % ', '.join('{"%s", %s}' % (n, n)
                                  for n in self.names[params])


def mixed(names):
    """An expression in which each of the variables counts."""
    return ' + '.join('%d*int64(%s)' % (2 * i + 1, n)
                      for i, n in enumerate(names))


def integers(p, t):
    both = 'a, b := %s(x), %s(y)' % (t, t)
    for k, op in enumerate(OPERATORS):
        p.func('bin%d%s' % (k, t), INT, both,
               'c, d, e, f := a %s b, a %s a, b, a' % (op, op),
               'e = a %s e' % op, 'f = f %s b' % op,
               'g, i, j := a %s 3, 5 %s b, a %s 100' % (op, op, op),
               'return ' + mixed('cdefgij'))
    lines = [both, 'if b == 0 {', '\tb = 1', '}', 'c, d := a/b, a%b',
             'e, f, g, i := a/3, a%3, a/8, a%8', 'j, k := a/1, a%100']
    if not t.startswith('u'):
        lines += ['e += a / -7', 'f += a % -7', 'g += a / -16', 'i += a % -16']
    p.func('div' + t, INT, *lines, 'return ' + mixed('cdefgijk'))
    p.func('sh' + t, INT, 'a, n := %s(x), uint(uint8(y))' % t,
           'c, d, e, f, g := a<<n, a>>n, a<<3, a>>5, a', 'g <<= n & 7',
           'i := a >> 1 << 2', 'return ' + mixed('cdefgi'))
    lines = [both, 'var r int64']
    for i, rel in enumerate(RELATIONS):
        lines += ['if a %s b {' % rel, '\tr |= %d' % (1 << i), '}',
                  'r += b2i(a %s b) << %d' % (rel, 8 + i),
                  'if a %s 7 {' % rel, '\tr ^= %d' % (1 << (16 + i)), '}',
                  'r += b2i(a %s 7) << %d' % (rel, 24 + i)]
    p.func('cmp' + t, INT, *lines, 'ok := a == b',
           'return r + b2i(!ok)<<40 + int64(-a) + 3*int64(^a)')
    p.func('conv' + t, INT, 'a := %s(x)' % t, 'return y + ' + mixed(
        '%s(a)' % u for u in TYPES))


def atomics(p, t):
    """Calls of sync/atomic on words of type t: values in variables and
    constants, results used and not."""
    n = t.capitalize()
    p.func('atom' + t, INT, 'a, b := %s(x), %s(y)' % (t, t), 'v, w := a, b',
           'c := atomic.Add%s(&v, b)' % n, 'atomic.Add%s(&v, 100)' % n,
           'd := atomic.Swap%s(&v, a)' % n, 'atomic.Swap%s(&w, 5)' % n,
           'e := b2i(atomic.CompareAndSwap%s(&v, a, b))' % n,
           'f := b2i(atomic.CompareAndSwap%s(&v, 7, a))' % n,
           'atomic.CompareAndSwap%s(&w, 5, v)' % n,
           'g := atomic.Or%s(&v, a)' % n, 'atomic.Or%s(&w, 64)' % n,
           'i := atomic.And%s(&v, b)' % n, 'atomic.And%s(&w, 127)' % n,
           'j := atomic.Load%s(&v)' % n, 'atomic.Store%s(&w, j-a)' % n,
           'a = atomic.Add%s(&w, a)' % n, 'v = atomic.Load%s(&w) + v' % n,
           'atomic.Store%s(&w, 3)' % n,
           'return ' + mixed('abcdefgijvw'))


def floats(p, t):
    bits = 'math.Float64bits(%s)' if t == 'float64' else \
        'uint64(math.Float32bits(%s))'
    both = 'a, b := %s(x), %s(y)' % (t, t)
    for k, op in enumerate('+-*/'):
        lines = [both, 'c, d, e, f := a %s b, a %s a, b, a' % (op, op),
                 'e = a %s e' % op, 'f = f %s b' % op,
                 'g, i := a %s 1.5, 2.5 %s b' % (op, op), 'var h hash']
        for v in 'cdefgi':  # the bits of a NaN are not said by the language
            lines += ['if %s == %s {' % (v, v), '\th.add(%s)' % (bits % v),
                      '}']
        p.func('f%d%s' % (k, t), FLOAT, *lines, 'return uint64(h)')
    lines = [both, 'var r uint64']
    for i, rel in enumerate(RELATIONS):
        lines += ['if a %s b {' % rel, '\tr |= %d' % (1 << i), '}',
                  'if !(a %s b) {' % rel, '\tr |= %d' % (1 << (8 + i)), '}',
                  'r += uint64(b2i(a %s b)) << %d' % (rel, 16 + i)]
    for i, v in enumerate(['-a', 'min(a, b)', 'max(a, b)']):
        lines += ['if m := %s; m == m {' % v,
                  '\tr += %s << %d' % (bits % 'm', i), '}']
    p.func('fcmp' + t, FLOAT, *lines, 'return r')


def complexes(p, t):
    """Complex numbers of type t, whose operations take several registers:
    results beside, in and across the places of operands."""
    part = 'float64' if t == 'complex128' else 'float32'
    lines = ['a, b := %s(complex(x, y)), %s(complex(y, -1))' % (t, t),
             'var h hash']
    results = []
    for k, op in enumerate('+-*'):
        lines += ['c%d, d%d, e%d, f%d := a %s b, b %s a, a, b' % (
            k, k, k, k, op, op),
            'e%d = e%d %s b' % (k, k, op), 'f%d = a %s f%d' % (k, op, k),
            'g%d, i%d := a %s (1.5+2i), 2i %s b' % (k, k, op, op),
            'j%d := complex(imag(a), real(a)) %s a' % (k, op),
            'j%d = -j%d' % (k, k)]
        results += ['%s%d' % (v, k) for v in 'cdefgij']
    lines += ['a, b = b, a', 'a, b = a*b, a+b']
    for v in results + ['a', 'b']:
        for f in ('real', 'imag'):
            lines += ['if v := float64(%s(%s)); v == v {' % (f, v),
                      '\th.add(math.Float64bits(v))', '}']
    lines += ['if c0 == d0 {', '\th.add(1)', '}', 'if a != b {', '\th.add(2)',
              '}', 'q := b2i(e1 == c1)', 'h.add(uint64(q))',
              'w := complex(%s(x), %s(imag(complex64(complex(x, y)))))' % (
                  part, part), 'if real(w) == real(w) {',
              '\th.add(math.Float64bits(float64(real(w))))', '}',
              'return uint64(h)']
    p.func('c' + t, FLOAT, *lines)


REST = '''
func fconv(x, y float64) uint64 {
	var h hash
	h.add(uint64(int64(x)))
	h.add(uint64(x))
	if y > -9e18 && y < 9e18 {
		h.add(uint64(int32(int64(y))))
	}
	if x == x {
		h.add(uint64(math.Float32bits(float32(x))))
		h.add(math.Float64bits(float64(float32(x))))
		h.add(math.Float64bits(math.Abs(x)))
		h.add(math.Float64bits(math.Floor(x)))
	}
	if r := math.Sqrt(x); r == r {
		h.add(math.Float64bits(r))
	}
	return uint64(h)
}

func fmadd(x, y float64) uint64 {
	s, t := x, y
	for i := 0; i < 5; i++ {
		s += x * y
		t = t*0.5 + s
	}
	if s != s || t != t {
		return 1
	}
	return math.Float64bits(s) ^ math.Float64bits(t)<<1
}

func cplx(x, y float64) uint64 {
	a, b := complex(x, y), complex(y, 1)
	c := a*b + a - b
	d := -c
	e := complex64(a) * complex64(b)
	var r uint64
	for i, v := range []float64{real(c), imag(c), real(d), imag(d), float64(real(e)), float64(imag(e))} {
		if v == v {
			r ^= math.Float64bits(v) >> uint(i)
		}
	}
	if c == d {
		r++
	}
	return r
}

func i2f(x, y int64) int64 {
	a, b := float64(x), float32(y)
	c, d := float64(uint64(x)), float32(uint64(y))
	return int64(math.Float64bits(a)) + 3*int64(math.Float32bits(b)) + 5*int64(math.Float64bits(c)) + 7*int64(math.Float32bits(d))
}

// More values than registers, all alive through calls and a loop.
func crowd(x, y int64) int64 {
	a, b, c, d := x+1, x^2, x*3, x-4
	e, f, g, h := y+5, y^6, y*7, y-8
	i, j, k, l := a+e, b+f, c+g, d+h
	m, n, o, p := a-e, b-f, c-g, d-h
	var s int64
	for q := int64(0); q < 3; q++ {
		s += a + 2*b + 3*c + 4*d + 5*e + 6*f + 7*g + 8*h
		a, b, c, d = b, c, d, a+q
		s ^= i + 2*j + 3*k + 4*l + 5*m + 6*n + 7*o + 8*p
		i, j, k, l = twist(i, j), k+s, l-q, j
		m, n, o, p = p, o, n, m
	}
	return s + a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p
}

//go:noinline
func twist(x, y int64) int64 { return x*31 ^ y }

func sw(x, y int64) int64 {
	switch x & 15 {
	case 0:
		return y
	case 1:
		return y + 1
	case 2, 3:
		return y ^ 2
	case 4:
		return -y
	case 5:
		return y * 5
	case 6:
		return y << 6
	case 9:
		return y >> 9
	}
	return x
}
'''

MAIN = r'''
func main() {
	for _, f := range intFuncs {
		var h hash
		for _, x := range ints {
			for _, y := range ints {
				h.add(uint64(f.f(x, y)))
			}
		}
		fmt.Printf("%s %x\n", f.name, uint64(h))
	}
	for _, f := range floatFuncs {
		var h hash
		for round := 0; round < 2; round++ {
			for _, x := range floats {
				for _, y := range floats {
					h.add(f.f(x, y))
				}
			}
		}
		fmt.Printf("%s %x\n", f.name, uint64(h))
	}
}
'''


def make():
    p = Program()
    for t in TYPES:
        integers(p, t)
    for t in ('float32', 'float64'):
        floats(p, t)
    for t in ('int32', 'uint32', 'int64', 'uint64', 'uintptr'):
        atomics(p, t)
    for t in ('complex64', 'complex128'):
        complexes(p, t)
    p.names[FLOAT] += ['fconv', 'fmadd', 'cplx']
    p.names[INT] += ['i2f', 'crowd', 'sw']
    funcs = 'var %s = []struct {\n\tname string\n\tf func(%s) %s\n}%s\n'
    return (p.text + '\n' + REST + '\n' +
            funcs % ('intFuncs', INT, 'int64', p.table(INT)) +
            funcs % ('floatFuncs', FLOAT, 'uint64', p.table(FLOAT)) +
            MAIN)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--keep', metavar='FILE', help='write the program there')
    opt = ap.parse_args()
    good = bad = 0
    with tempfile.TemporaryDirectory() as work:
        path = opt.keep or os.path.join(work, 'ops.go')
        with open(path, 'w') as f:
            f.write(make())
        outs = {}
        for run in RUNS:
            r = common.run(shlex.split(opt.vole) + [path],
                           env={'VOLEDEBUG': run}, timeout=600)
            outs[run] = (r.status, r.out, r.err)
        if shutil.which('go'):
            r = subprocess.run(['go', 'run', path], capture_output=True,
                               text=True, env=dict(os.environ,
                                                   **common.go_env()))
            if r.returncode == 0:
                outs['go'] = (0, r.stdout, '')
    want = outs['jit=0']
    for run, got in outs.items():
        if got == want and got[0] == 0 and got[1].count('\n') > 90:
            good += 1
            continue
        bad += 1
        print('FAIL %s: status %s %s' % (run, got[0], got[2][-300:]))
        for a, b in zip(want[1].splitlines(), got[1].splitlines()):
            if a != b:
                print('    %s, interpreted %s' % (b, a))
    common.summary(good, bad, 0)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
