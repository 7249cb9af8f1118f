#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Machine code tells the race detector what the interpreter tells it.

A Go program is made here, with pairs of goroutines that access the same memory:
by all types that have loads and stores of their own, through pointers, in
fields, slices, arrays and package variables, in functions small enough to be
parts of their callers; the same bytes, their neighbours, and more and fewer of
them.  One goroutine of a pair has ended when the other comes, and nothing orders
them.  Whatever runs it, the same reports must be made, word for word but for
addresses and numbers of goroutines.

A second program goes through memory that is its own again and again, and the
counters of machine code say how often it has called the detector: seldom.

Usage: run_race_jit.py [--vole CMD] [--keep FILE]
"""

import argparse
import os
import re
import shlex
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

WAYS = ['jit=0', 'jit=2', 'jit=2,jitregs=1', 'jit=2,jitexit=3',
        'jit=2,jitmemory=1', 'jit=2,gcstress=97']
HOT = ['jit=0', 'jit=1']

# Types and a value of each.
TYPES = {
    'bool': 'true', 'uint8': '7', 'int8': '-7', 'uint16': '7', 'int16': '-7',
    'uint32': '7', 'int32': '-7', 'float32': '1.5', 'int': '7',
    'float64': '1.5', 'complex128': '2i', 'string': '"abc"', 'any': '"x"',
    '[]byte': 'bytes', '*int': 'number', 'three': 'three{1, 2, "c"}',
    'small': 'small{1, 2}', 'map[int]int': 'table', 'func()': 'nothing'}

HEAD = '''package main

import "runtime"

type three struct {
	a, b int
	c    string
}

type small struct {
	a, b int32
}

type holder[T any] struct {
	before int
	v      T
	after  byte
}

var bytes = []byte("abc")
var number = new(int)
var table = map[int]int{1: 2}

func nothing() {}

// both runs f to its end and then g, of which nothing orders the two.
func both(f, g func()) {
	go f()
	for range 100 {
		runtime.Gosched()
	}
	g()
}

//go:noinline
func keep[T any](x T) {}
'''

LEAVES = '''
func get%(i)d(p *%(t)s) %(t)s    { return *p }
func set%(i)d(p *%(t)s, x %(t)s) { *p = x }

var global%(i)d %(t)s
'''

# Where: what is made before, and an element of it by number.
PLACES = {
    'p': ('p := new(%s)', '*p'),
    'f': ('p := new(holder[%s])', 'p.v'),
    's': ('p, k := make([]%s, 9), 4', 'p[k]'),
    'a': ('p, k := new([9]%s), 4', 'p[k]'),
    'n': ('p := make([]%s, 9)', 'p[4]'),
}


def loop(text):
    return 'for range N {\n\t\t\t%s\n\t\t}' % text


class Program:
    def __init__(self, turns):
        self.out = [HEAD, 'const N = %d\n' % turns]
        self.n = 0

    def pair(self, before, f, g):
        self.out.append('func case%d() {\n\t%s\n\tboth(func() {\n\t\t%s\n\t}, '
                        'func() {\n\t\t%s\n\t})\n}\n' % (
                            self.n, before, loop(f), loop(g)))
        self.n += 1

    def types(self):
        for i, (t, value) in enumerate(TYPES.items()):
            self.out.append(LEAVES % {'i': i, 't': t})
            ways = [(before % t, 'keep(%s)' % x, '%s = %s' % (x, value))
                    for before, x in PLACES.values()]
            ways.append(('', 'keep(global%d)' % i,
                         'global%d = %s' % (i, value)))
            ways.append(('p := new(%s)' % t, 'keep(get%d(p))' % i,
                         'set%d(p, %s)' % (i, value)))
            for before, read, write in ways:
                self.pair(before, write, write)
                self.pair(before, write, read)
                self.pair(before, read, write)
                self.pair(before, read + '\n\t\t\t' + write, read)

    def bytes(self):
        """Neighbours, which are no race, and parts of what was accessed."""
        for t in ('uint8', 'uint16', 'uint32', 'int64'):
            for last in range(5):
                for at in range(6):
                    self.pair('p := make([]%s, 8)' % t,
                              'for i := 1; i <= %d; i++ { p[i]++ }' % last,
                              'keep(p[%d])' % at)
        for at in range(8):
            self.pair('p := make([]byte, 8)', 'clear(p[2:6])',
                      'p[%d] = 1' % at)
        for t in ('int', 'uint8', 'string', 'three'):
            self.pair('p := make([]%s, 2, 100)' % t,
                      'q := append(p, %s)\n\t\t\tkeep(q)' % TYPES.get(t),
                      'keep(p[:3][2])')
        # Slices that go back to where they came from.
        for change in ('p.v = p.v[:2]', 'p.v = append(p.v[:1], 7)'):
            self.pair('p := &holder[[]int]{v: make([]int, 3, 9)}', change,
                      'keep(p.v)')
        self.pair('p := map[int]int{}', 'keep(len(p))', 'p[1] = 2')
        self.pair('p := map[string]int{}', 'p["a"]++', 'keep(len(p))')
        self.pair('p := make([]int, 4)', 'copy(p, p[1:])', 'p[2] = 1')

    def places(self):
        """Bytes added to a word, from places that are not the word's, beside
        what others have done there, and to others' words."""
        for at in range(6):
            self.pair('p := make([]byte, 8)',
                      'for i := range 3 { p[i] = 1 }\n\t\t\tp[3] = 2'
                      '\n\t\t\tp[4] = 3', 'keep(p[%d])' % at)
            self.pair('p := make([]byte, 16)',
                      'p[12] = 2\n\t\t\tfor i := range 13 { p[i] = 1 }',
                      'keep(p[%d])' % (at + 8))
            self.pair('p := make([]byte, 8)', 'keep(p[%d])' % at,
                      'for i := range 5 { p[i] = 1 }')
            self.pair('p := make([]byte, 8)', 'p[%d] = 1' % at,
                      'for i := range 5 { keep(p[i]) }')
        self.out.append('''func fill(p []byte) {
	for i := range p {
		p[i] = 1
	}
}

func case%d() {
	p := make([]byte, 8)
	for range 2 {
		go fill(p)
		for range 100 {
			runtime.Gosched()
		}
	}
}
''' % self.n)
        self.n += 1

    def text(self):
        return '\n'.join(self.out) + '\nfunc main() {\n%s}\n' % ''.join(
            '\tcase%d()\n' % i for i in range(self.n))


OWN = '''package main

import "sync"

type point struct {
	x, y int
	name string
	a    byte
	b    int16
	c    float32
}

var total int

// Others could reach what has been here.
var known any

func shared[T any](x T) T {
	known = x
	return x
}

func work(p *point, s []byte, w []int16, v []int32, f []float64) {
	for range 20000 {
		p.x += p.y
		p.a++
		p.b--
		p.c *= 2
		p.name = p.name[:0]
		for i := range s {
			s[i]++
			w[i] += 3
			v[i] = int32(w[i])
			f[i] += float64(v[i])
		}
		total++
	}
}

// A lock that nobody else wants.
func lock(p []int, mu *sync.Mutex) {
	for i := range 4000 {
		mu.Lock()
		for k := range p {
			p[k] += i
		}
		mu.Unlock()
	}
}

func main() {
	ended := make(chan bool)
	go func() {
		lock(shared(make([]int, 50)), shared(new(sync.Mutex)))
		work(shared(new(point)), shared(make([]byte, 20)),
			shared(make([]int16, 20)), shared(make([]int32, 20)),
			shared(make([]float64, 20)))
		close(ended)
	}()
	<-ended
	println(total)
}
'''
# Each access of the program is of memory that is new once.
MOST = 1000


def run(command, way, path, more=()):
    env = dict(os.environ, VOLEDEBUG=way, GOMAXPROCS='1')
    env.pop('GORACE', None)
    return common.run(command + list(more) + [path], env=env, combine=True,
                      timeout=300)


def plain(text):
    """A report without what may differ."""
    text = re.sub(r'0x[0-9a-f]{12}', 'ADDR', text)
    return re.sub(r'oroutine \d+', 'oroutine N', text)  # the collector's count


def compare(command, path, ways, least):
    want, bad = None, 0
    for way in ways:
        r = run(command, way, path)
        got = plain(r.out)
        if common.INTERNAL.search(got) or r.status != 66 or \
                got.count('WARNING: DATA RACE') < least:
            print('FAIL %s: status %s, %d reports\n%s' % (
                way, r.status, got.count('WARNING: DATA RACE'), got[-2000:]))
            return bad + 1
        want = want or got
        if got != want:
            bad += 1
            print('FAIL %s differs from %s' % (way, ways[0]))
            for a, b in zip(want.split('=' * 18), got.split('=' * 18)):
                if a != b:
                    print('%s\n--- and\n%s' % (a, b))
                    break
    return bad


def seldom(command, path):
    """Whether accesses that the detector knows of are not calls of it."""
    r = run(command, 'jit=2,jitstat=1', path)
    calls = re.findall(r'(?:C called for|,) ((?:LD|ST|G)\w+) (\d+) times',
                       r.out)
    if r.status == 0 and sum(int(n) for _, n in calls) < MOST:
        return 0
    print('FAIL the detector is called too often: status %s\n%s' % (
        r.status, r.out[-1000:]))
    return 1


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.default_vole() + ' run')
    ap.add_argument('--keep', metavar='FILE')
    opt = ap.parse_args()
    # Small objects share blocks, and a collection changes which: where one was
    # allocated is better not known.  Of 2 GB between two samples the program's
    # few MB had one now and then.
    command = shlex.split(opt.vole) + [
        '-race', '-memprofilerate', '4000000000000000']
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'pairs.go')
        for turns, ways in ((3, WAYS), (2000, HOT)):
            p = Program(turns)
            p.types()
            p.bytes()
            p.places()
            with open(path, 'w', encoding='utf-8') as f:
                f.write(p.text())
            if opt.keep:
                shutil.copy(path, opt.keep)
            bad += compare(command, path, ways, len(TYPES) * 20)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(OWN)
        bad += seldom(command, path)
    total = len(WAYS) + len(HOT) + 1
    common.summary(total - bad, bad, 0)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
