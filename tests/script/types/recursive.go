// run
// SPDX-License-Identifier: MIT

// Recursive and mutually recursive types and functions.
package main

import (
	"fmt"
	"sort"
	"strings"
)

type Tree struct {
	kids map[string]*Tree
	list []Tree
	fn   func(*Tree) int
	ch   chan Tree
}
type F func(F, int) int
type M map[string]M
type S []S
type P *P
type C chan C
type A struct{ b *B }
type B struct {
	a []A
	i I
}
type I interface{ Next() I }

func (a A) Next() I { return a.b.i }

type Expr interface{ Eval(env Env) float64 }
type Env map[string]float64
type Num float64
type Var string
type Bin struct {
	op   byte
	l, r Expr
}

func (n Num) Eval(Env) float64   { return float64(n) }
func (v Var) Eval(e Env) float64 { return e[string(v)] }
func (b Bin) Eval(e Env) float64 {
	l, r := b.l.Eval(e), b.r.Eval(e)
	switch b.op {
	case '+':
		return l + r
	case '-':
		return l - r
	case '*':
		return l * r
	}
	return l / r
}

type parser struct {
	toks []string
}

func (p *parser) next() (t string) {
	t, p.toks = p.toks[0], p.toks[1:]
	return
}
func (p *parser) peek() string {
	if len(p.toks) == 0 {
		return ""
	}
	return p.toks[0]
}
func (p *parser) expr() Expr {
	e := p.term()
	for p.peek() == "+" || p.peek() == "-" {
		op := p.next()[0]
		e = Bin{op, e, p.term()}
	}
	return e
}
func (p *parser) term() Expr {
	e := p.factor()
	for p.peek() == "*" || p.peek() == "/" {
		op := p.next()[0]
		e = Bin{op, e, p.factor()}
	}
	return e
}
func (p *parser) factor() Expr {
	t := p.next()
	if t == "(" {
		e := p.expr()
		p.next()
		return e
	}
	var n float64
	if _, err := fmt.Sscan(t, &n); err == nil {
		return Num(n)
	}
	return Var(t)
}

func even(n int) bool { return n == 0 || odd(n-1) }
func odd(n int) bool  { return n != 0 && even(n-1) }

func ack(m, n int) int {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return ack(m-1, 1)
	}
	return ack(m-1, ack(m, n-1))
}

func hanoi(n int, a, b, c string, moves *[]string) {
	if n > 0 {
		hanoi(n-1, a, c, b, moves)
		*moves = append(*moves, a+c)
		hanoi(n-1, b, a, c, moves)
	}
}

func perms(s []int, k int, out *[]string) {
	if k == len(s) {
		*out = append(*out, fmt.Sprint(s))
		return
	}
	for i := k; i < len(s); i++ {
		s[k], s[i] = s[i], s[k]
		perms(s, k+1, out)
		s[k], s[i] = s[i], s[k]
	}
}

func queens(n, row int, cols, d1, d2 map[int]bool) (count int) {
	if row == n {
		return 1
	}
	for c := 0; c < n; c++ {
		if cols[c] || d1[row+c] || d2[row-c] {
			continue
		}
		cols[c], d1[row+c], d2[row-c] = true, true, true
		count += queens(n, row+1, cols, d1, d2)
		delete(cols, c)
		delete(d1, row+c)
		delete(d2, row-c)
	}
	return
}

func main() {
	t := &Tree{kids: map[string]*Tree{}}
	t.kids["a"] = &Tree{list: []Tree{{}, {list: make([]Tree, 3)}}}
	t.fn = func(x *Tree) int { return len(x.kids["a"].list[1].list) }
	fmt.Println(t.fn(t))
	var fact F = func(self F, n int) int {
		if n < 2 {
			return 1
		}
		return n * self(self, n-1)
	}
	fmt.Println(fact(fact, 6))
	m := M{"x": {"y": {"z": nil}}}
	fmt.Println(m, len(m["x"]["y"]), S{{}, {{}, {}}, nil}, len(S{{}}))
	var p P
	p = &p
	fmt.Println(*p == p)
	c := make(C, 1)
	c <- c
	fmt.Println(<-c == c)
	b := &B{}
	b.i = A{b}
	b.a = []A{{b}}
	fmt.Println(b.a[0].Next().Next() == b.i)
	toks := strings.Fields("( x + 2 ) * 3 - y / ( 4 - x )")
	e := (&parser{toks}).expr()
	fmt.Println(e.Eval(Env{"x": 2, "y": 10}), e.Eval(Env{"x": 3, "y": 1}))
	fmt.Println(even(1000), odd(777), ack(2, 9))
	var moves []string
	hanoi(4, "A", "B", "C", &moves)
	fmt.Println(len(moves), moves)
	var out []string
	perms([]int{1, 2, 3}, 0, &out)
	sort.Strings(out)
	fmt.Println(out)
	fmt.Println(queens(6, 0, map[int]bool{}, map[int]bool{}, map[int]bool{}))
}
