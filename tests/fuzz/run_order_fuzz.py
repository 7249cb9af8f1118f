#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random statements about the order of evaluation, beside the real go.

The language leaves open when a variable is read in an expression that calls
functions, too; programs rely on what Go's compiler does all the same.  Each
statement here mixes reads of variables, fields, elements and maps with calls
that change all of these, in arguments, assignments of each kind, literals,
slices, conversions, conditions, ranges.  After each one the whole state is
printed, and vole must print what the real go prints.  No function is inlined:
what Go does then depends on its budget.

The seed is printed; --seed replays it, --keep keeps programs that differ.
Skipped where there is no go.
"""

import re
import sys

import beside_go

HEAD = '''package main

import "fmt"

type T struct {
	i, j int
	s    []int
	m    map[int]int
	p    *T
	a    [4]int
	e    any
	st   string
}

type two struct{ x, y int }

var (
	g   = 1
	gs  = []int{1, 2, 3, 4}
	ga  [4]int
	gg  [4][4]int
	gp  = &T{i: 5, j: 6, s: []int{4, 3, 2, 1}, m: map[int]int{1: 2}, e: 7, st: "hello"}
	ch  = make(chan int, 100)
	cnt int
)

// touch changes all that there is.
//
//go:noinline
func touch() int {
	cnt++
	g += cnt
	gs[cnt&3]++
	ga[cnt&3] += 2
	gp.i++
	gp.j ^= 1
	gp.s[cnt&3] += 3
	gp.m[cnt&3]++
	gp.a[cnt&3]--
	gp.e = cnt
	if cnt%3 == 0 {
		gs = append([]int(nil), gs...)
		gp.s = append([]int{cnt}, gp.s[:3]...)
		gp.st = gp.st[1:] + gp.st[:1]
	}
	if cnt%5 == 0 {
		gp.p, gp = gp, &T{i: gp.i + 10, j: 1, s: []int{cnt, 1, 2, 3},
			m: map[int]int{2: cnt}, a: [4]int{1, cnt, 3, 4}, e: 3, st: "world", p: gp}
	}
	if len(ch) < 50 {
		ch <- cnt
	}
	return cnt
}

func dump(k int, v ...any) {
	fmt.Println(k, fmt.Sprint(v...), g, gs, ga, gp.i, gp.j, gp.s, len(gp.m),
		gp.a, gp.e, gp.st, cnt)
	cnt++
	g &= 0xff
}

func try(k int, do func()) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(k, "panic", e)
			cnt++
		}
	}()
	do()
}
'''

# Functions whose bodies are all the same but for what they return.
FUNCS = ['f(x int) int { %s return x + cnt }',
         'pair(x int) (int, int) { %s return x, cnt }',
         'sl(x int) []int { %s return gs }',
         'tp(x int) *T { %s return gp }',
         'tv(x int) T { %s return *gp }',
         'mp() map[int]int { %s return gp.m }',
         'b(x int) bool { %s return x&1 == 0 }',
         'str(x int) string { %s return gp.st }',
         'iface(x int) any { %s return x }',
         'fn(x int) func(int) int { %s return f }',
         'p(x int) *int { %s return &gp.i }',
         'id[N any](x N) N { %s return x }',
         '(t *T) inc(x int) int { %s t.i += x & 7; return t.i }',
         '(t T) val(x int) int { %s return t.i + x }']

MORE = '''
//go:noinline
func bi(x bool) int {
	if x {
		return 1
	}
	return 0
}

//go:noinline
func sum(x ...int) int {
	r := 0
	for i, v := range x {
		r = r*31 + v*(i+1)
	}
	return r & 0xffff
}
'''

MAIN = '''
func main() {
	for i := 0; i < 30; i++ {
		ch <- i
	}
	gp.p = gp
	c, l := 3, 4
	inc := func() { c++ }
	inc()
	q := &gp.j
	t := *gp
	var la [4]int
'''

TRY = '''	try(%d, func() {
		l, t, la := l, t, la
		_, _, _ = l, t, la
		%s
		dump(%d, c, l, *q, t.i, t.j, t.a, la)
	})
'''

# What an expression is made of: E an int, I an index of four, B a bool, N an
# int without calls.
LEAVES = ['g', 'gp.i', 'gp.j', 'c', 'l', '*q', 'gs[1]', 'ga[2]', 'gp.s[0]',
          'gp.a[1]', '3', '7', 'gp.m[1]', 'len(gp.st)', 'len(gs)', 't.i',
          't.a[1]', 'la[2]']
INTS = ['f(E)', 'f(E)', 'f(E)', 'gp.inc(E)', 'tp(1).inc(E)', 't.inc(E)',
        'gp.val(E)', 'tp(E).val(E)', 't.val(E)', 'tv(3).val(E)',
        '(*gp).val(E)', '(E + E)', '(E - E)', '(E ^ E)', '(E * E)', 'gs[I]',
        'gp.s[I]', 'ga[I]', 'sl(E)[I]', 'gp.m[I]', 'mp()[I]',
        'len(gs[E&1:][:1])', 'len(gs[E&1:2+E&1])', 'cap(gp.s[E&1:2+E&1:4])',
        'gp.e.(int)', 'iface(E).(int)', 'bi(B && B)', 'bi(B || B)', '<-ch',
        'min(E, E)', 'max(E, E)', '(T{i: E, j: E}.i)', '(T{j: E, i: E}.j)',
        '([]int{E, E, E}[E&1])', '([...]int{E, E}[E&1])',
        '(map[int]int{1: E, 2: E}[I])', 'int(int8(l + E))',
        '((l + E)<<(I))&0xfff', 'int(gp.st[I])', 'len(gp.st[E&1:3+E&1])',
        'len(append(gp.s[:I], E, E))',
        'func() int { touch(); c += 2; return c }()',
        'func(x int) int { c++; return x + c + gp.i }(E)', 'fn(E)(E)',
        'sum(E, E, E)', 'sum(pair(E))', '(-(E))', 'tp(E).a[I]',
        'len(str(E) + gp.st[:E&1+1])', 'copy(gs, sl(E)[E&1:])',
        '(id(E) + id(gp.i))', 'gg[I][I]', 'gp.p.i']
BOOLS = ['b(E)', 'E < E', 'gp.e == any(E)', 'str(1) < gp.st', '!b(E)',
         'gp.e == iface(E)', 'g > 5', 'b(g)', 'gp.i&1 == 0', 'c > 3',
         '(two{E, E} == two{g, E})']
# L: what may be assigned to.
PLACES = ['g', 'gp.i', 'gp.j', 'c', 'l', '*q', 'gs[I]', 'gp.s[I]', 'gp.a[I]',
          'ga[I]', 'gp.m[I]', 'sl(1)[I]', 'tp(1).a[I]', 'tp(E).i', 'mp()[I]',
          't.a[I]', 'la[I]', 't.j', '*p(E)', 'gg[I][I]', 'tp(E).s[I]',
          'gp.p.a[I]']
# K: the statement's number.
STMTS = ['dump(K, E, E, E)', 'dump(K, E, E, E)', 'L = E', 'L, L = E, E',
         'L, L, L = E, E, E', 'L += E', 'L ^= E', 'L, L = pair(E)', 'L++',
         'L--', 'dump(K, []any{E, E}, T{i: E, j: E}.i, [2]int{E, E})',
         'if x, y := E, E; x < y { dump(K, x, y, E) }',
         'switch x := E; { case x&1 == E&1: dump(K, 1); case B: dump(K, 2) }',
         'switch x := iface(E).(type) { case int: dump(K, x, E) }',
         'select { case x := <-func() chan int { L = E; return ch }(): '
         'dump(K, x, E); default: }',
         # Two constants may be the same, which no switch may have.
         'switch E & 3 { case (E + L&0) & 3: dump(K, 1); '
         'case 1, (E + L&0) & 3: dump(K, 2) }',
         'func() { defer func(x, y int) { dump(K, x, y) }(E, E); L = E }()',
         'ch <- E; dump(K, E)',
         'x, y := func() (int, int) { return E, E }(); dump(K, x, y)',
         'for i, v := range []int{E, E} { dump(K, i, v, E) }',
         'for i, v := range gs[E&1 : 2+E&1] { dump(K, i, v) }',
         'for x := 0; x < E&3 && B; x++ { dump(K, x, E) }',
         'dump(K, any(E), any(gp.st), any(B), any(E))',
         'x, y := tv(E), *gp; dump(K, x.i, y.i, x.s, y.a)',
         'x := gp.st + str(E) + gp.st + str(E); dump(K, x)',
         'select { case ch <- E: default: }; dump(K, len(ch), E)',
         'dump(K, []T{{i: E, j: E}, {j: E, i: E}}[E&1].i)',
         'h := gp.inc; dump(K, h(E), gp.i, h(E))',
         'h := tp(E).inc; dump(K, h(E), gp.i, h(E))',
         'arr := ga; arr[I], ga[I] = E, arr[I]; dump(K, arr)',
         'gs[I], gs[I] = gs[I], gs[I]',
         'gp.s = append(gp.s[:I], sl(E)[E&1:]...)\n'
         '\t\tgp.s = append(gp.s, 1, 2, 3, 4)[:4]',
         '*gp = T{i: E, j: gp.i, s: gs, m: gp.m, p: gp.p, '
         'a: [4]int{E, gp.j}, e: E, st: gp.st}',
         'x := [2]float64{float64(E), float64(gp.i)}\n'
         '\t\tdump(K, x, float64(E)/2+float64(gp.j))',
         'var x any = E; y, ok := x.(int); dump(K, y, ok)',
         'x, ok := iface(E).(int); L, ok = gp.e.(int); dump(K, x, ok)',
         'gp.a[I], gp.e = map[int]int{1: 2, 3: 4}[I], E',
         'x, ok := gp.m[I]; gs[I], ok = mp()[I]; dump(K, x, ok)',
         'x, ok := <-ch; L, ok = <-ch; dump(K, x, ok)',
         'delete(gp.m, I); delete(mp(), I); dump(K, E)',
         'dump(K, append(sl(E), gs[0], E, g)[:6])',
         'dump(K, func(x int) (r int) {\n'
         '\t\t\tdefer func() { r += E; recover() }()\n'
         '\t\t\tr = E\n\t\t\treturn r + E\n\t\t}(E))',
         'x := []func() int{func() int { return E }, '
         'func() int { c++; return g }}\n'
         '\t\tdump(K, x[E&1](), x[E&1]())',
         'dump(K, struct{ a, b int; s string }{gp.i, E, gp.st}, '
         '&two{E, gp.j}, []string{gp.st, str(E), gp.st})',
         'dump(K, two{gp.i, E}, [2]int{g, E}, B, f(1))',
         'dump(K, string(rune(65+E&15))+gp.st, []byte(str(E))[I]+gp.st[0])',
         'x := gp; x.a, x.i = [4]int{gp.i, E, gp.a[1], E}, E; dump(K, x.a)',
         'dump(K, uint8(gp.i)+uint8(l+E), float32(gp.j)*float32(E), '
         'int64(gp.i)/int64(1+(E)&7), gp.i%(1+(E)&7))',
         'dump(K, complex(float64(gp.i), float64(E)), '
         'real(complex(float64(E), float64(gp.j))))',
         'dump(K, uint16(g)+uint16(l+E), gp.i > E, gp.st[I], gp.m[I] == E)']

NAME = re.compile(r'\b[EIBLK]\b')


class Writer:
    def __init__(self, rnd):
        self.rnd = rnd

    def fill(self, text, depth, number):
        """The text with all that it leaves open."""
        def one(m):
            what, d = m.group(0), depth - 1 - self.rnd.randrange(2)
            if what == 'K':
                return str(number)
            if what == 'B':
                return self.fill(self.rnd.choice(BOOLS), d, number)
            if what == 'L':
                return self.fill(self.rnd.choice(PLACES), depth, number)
            if depth <= 0:
                x = self.rnd.choice(LEAVES)
            else:
                x = self.fill(self.rnd.choice(INTS), d, number)
            return x if what == 'E' and depth <= 0 else \
                '(%s)' % x if what == 'E' else '(%s)&3' % x
        return NAME.sub(one, text)

    def program(self, statements):
        out = [HEAD]
        for text in FUNCS:
            out.append('\n//go:noinline\nfunc %s\n' %
                       text.replace('%s', 'touch();'))
        out += [MORE, MAIN]
        for k in range(statements):
            depth = self.rnd.choice([1, 2, 2, 3])
            text = self.fill(self.rnd.choice(STMTS), depth, k)
            out.append(TRY % (k, text, k))
        return ''.join(out) + '}\n'


if __name__ == '__main__':
    sys.exit(beside_go.main(__doc__, lambda rnd: Writer(rnd).program(40)))
