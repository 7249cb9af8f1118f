// run
// SPDX-License-Identifier: MIT

// Methods of interfaces that are spliced in where a type has been seen: of that
// type and of others, of none, of values and pointers, with panics and callers
// in the middle, and with types that take turns.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"sort"
	"strings"
)

type shape interface {
	area() int
	scale(n int) shape
	String() string
}

type square struct{ s int }

func (q *square) area() int { return q.s * q.s }
func (q *square) scale(n int) shape {
	q.s *= n
	return q
}
func (q *square) String() string { return fmt.Sprint("square ", q.s) }

type rect struct{ a, b int }

func (r rect) area() int { return r.a * r.b }
func (r rect) scale(n int) shape {
	return rect{r.a * n, r.b}
}
func (r rect) String() string { return fmt.Sprint("rect ", r.a, " ", r.b) }

type line int

func (l line) area() int         { return 0 }
func (l line) scale(n int) shape { return l * line(n) }
func (l line) String() string    { return strings.Repeat("-", int(l)) }

// One word of its own, kept as it is.
type fn func() int

func (f fn) area() int         { return f() }
func (f fn) scale(n int) shape { return fn(func() int { return f() * n }) }
func (f fn) String() string    { return "fn" }

//go:noinline
func total(v []shape) (t int) {
	for _, s := range v {
		t += s.area()
	}
	return
}

//go:noinline
func scaled(v []shape, n int) {
	for i, s := range v {
		v[i] = s.scale(n)
	}
}

// All that a panic says, and the line where it came from.
func try(f func()) {
	defer func() {
		r := recover()
		var e runtime.Error
		if err, ok := r.(error); ok && errors.As(err, &e) {
			fmt.Println("runtime error:", err)
		} else {
			fmt.Println(r)
		}
	}()
	f()
}

type walker interface{ step(n int) int }

type deep struct {
	next walker
	at   []int
}

func (d *deep) step(n int) int {
	if n == 0 {
		return d.at[len(d.at)-1]
	}
	return d.next.step(n-1) + 1
}

type end struct{ pc string }

func (e *end) step(n int) int {
	_, _, l, _ := runtime.Caller(1)
	if e.pc == "" {
		e.pc = fmt.Sprint(l)
	}
	return n * l / l
}

//go:noinline
func steps(w walker, n int) (t int) {
	for i := range n {
		t += w.step(i % 3)
	}
	return
}

type byLen []string

func (b byLen) Len() int           { return len(b) }
func (b byLen) Less(i, j int) bool { return len(b[i]) < len(b[j]) }
func (b byLen) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

// Embedded: the method is a wrapper that finds another one.
type named struct {
	shape
	name string
}

type box struct{ *square }

type stack interface {
	push(n ...int)
	pop() (int, error)
}

type ints struct{ v []int }

var errEmpty = errors.New("empty")

func (s *ints) push(n ...int) { s.v = append(s.v, n...) }
func (s *ints) pop() (n int, err error) {
	defer func() {
		if recover() != nil {
			err = errEmpty
		}
	}()
	n = s.v[len(s.v)-1]
	s.v = s.v[:len(s.v)-1]
	return
}

// What the receiver points to lives by the call only.
type leaf struct{ next *leaf }

type tree interface{ grow() tree }

func (l *leaf) grow() tree {
	n := &leaf{}
	if l.next != nil {
		n.next = &leaf{}
	}
	return n
}

//go:noinline
func grow(t tree, n int) tree {
	for range n {
		t = t.grow()
	}
	return t
}

// Big: it stays a call.
type big [40]int

func (b *big) step(n int) int {
	for i := range b {
		b[i] += n * i
		if b[i] > 1000 {
			b[i] %= 999
		}
		switch b[i] % 7 {
		case 0:
			b[i]++
		case 1:
			b[(i+1)%40] += 2
		case 3:
			b[(i+3)%40] -= 5
		case 5:
			b[i] = -b[i] / 3
		}
	}
	return b[n]
}

// Methods of the same name, of other interfaces, with other arguments.
type few struct{ n int }

func (f few) one(a int) int                   { return f.n + a }
func (f few) two(a, b, c string, d []int) int { return len(a+b+c) + d[0] }

type many struct{ n int }

func (m many) one(a, b, c string, d []int) int { return m.n + len(c+a) + d[0] }
func (m many) two(a int) int                   { return m.n - a }

//go:noinline
func ones(a interface{ one(int) int }, b interface {
	one(a, b, c string, d []int) int
}, n int) (t int) {
	for i := range n {
		d := []int{i}
		t += a.one(i) + b.one("a", "bc", "def", d)
		t += 3
		t = t&0xffff + b.one("ab", "cd", "e", d)*a.one(3)
		t ^= a.one(t & 7)
		t -= b.one("", "", "xyz", d)
	}
	return
}

//go:noinline
func twos(a interface{ two(int) int }, b interface {
	two(a, b, c string, d []int) int
}, n int) (t int) {
	for i := range n {
		d := []int{i}
		t += a.two(i) * b.two("a", "bc", "def", d)
		t += 3
		t = t&0xffff + b.two("ab", "cd", "e", d)*a.two(3)
		t ^= a.two(t & 7)
		t -= b.two("", "", "xyz", d)
	}
	return
}

// A wrapper's method that needs more of the stack by what is spliced into it.
type wide struct{ a, b, c int }

func mix(a, b, c, d, e, f int) int { return a*b + c*d + e*f }

func pad(a, b, c, d, e, f, g, h int) int {
	x, y := mix(a, b, c, d, e, f), mix(b, g, d, h, f, a)
	z := x&y | g
	return x - y + z ^ h
}

func (w wide) area() int {
	return pad(w.a, w.b, w.c, 1, w.b, 2, w.a, 3)
}
func (w wide) scale(n int) shape { return wide{w.b, w.c, n} }
func (w wide) String() string    { return "wide" }

//go:noinline
func down(s shape, n int) int {
	if n == 0 {
		return s.area()
	}
	return down(s, n-1) + s.area()&n
}

func square2(i int) shape { return rect{i, i} }

// Functions in fields, which take turns.
type machine struct {
	ops  []func(a, b int) int
	hook func(int)
	n    int
}

//go:noinline
func (m *machine) run(code []byte) (acc int) {
	for i, c := range code {
		acc = m.ops[c](acc, i)
		m.hook(acc)
	}
	return
}

func main() {
	const n = 3000
	fmt.Println(ones(few{1}, many{2}, n), twos(many{3}, few{4}, n))
	for i := range 400 {
		c := make(chan int)
		go func() { c <- down(wide{i, 2, 3}, i) + down(square2(i), i) }()
		if v := <-c; i%80 == 0 {
			fmt.Println(v)
		}
	}
	m := &machine{}
	m.ops = append(m.ops, func(a, b int) int { return a + b },
		func(a, b int) int { return a ^ b + m.n },
		func(a, b int) int { return []int{a, b}[b%2] })
	m.hook = func(x int) { m.n += x & 1 }
	for i := range n {
		m.run([]byte{0, 1, 0, byte(i % 3), 2, 0})
		if i == n/2 {
			m.hook = func(x int) { m.n ^= x }
		}
	}
	fmt.Println(m.run([]byte{0, 1, 0, 2}), m.n)
	m.hook = nil
	try(func() { m.run([]byte{0, 1, 0, 2}) })
	same := make([]shape, 10)
	for i := range same {
		same[i] = &square{i}
	}
	t := 0
	for range n {
		t += total(same)
	}
	fmt.Println(t)
	mixed := []shape{&square{2}, rect{2, 3}, line(4), &square{5},
		fn(func() int { return 7 }), named{rect{3, 3}, "r"}, &named{line(2), "l"},
		box{&square{6}}}
	for range n {
		t += total(mixed)
	}
	fmt.Println(t)
	scaled(mixed, 2)
	for range n {
		scaled(mixed, 1)
	}
	fmt.Println(mixed[:4], total(mixed))
	for i := range 3 {
		mixed[i] = nil
		try(func() { total(mixed) })
		mixed[i] = rect{i, i}
		var none *square
		mixed[i+1] = none
		try(func() { total(mixed) })
	}
	mixed[3] = named{nil, "none"}
	try(func() { total(mixed) })
	for _, s := range []shape{(*rect)(nil), (*line)(nil), (*named)(nil), box{}} {
		try(func() { total([]shape{rect{1, 2}, s}) })
		try(func() { scaled([]shape{&rect{1, 2}, s}, 3) })
	}
	pointers := []shape{&rect{2, 5}, new(line), &rect{3, 4}}
	for range n {
		t += total(pointers)
	}
	fmt.Println(t)

	var w walker = &deep{&deep{&deep{&end{}, []int{5}}, []int{4}}, []int{1, 2}}
	fmt.Println(steps(w, n))
	try(func() { steps(&deep{&deep{nil, nil}, []int{1}}, 3) })
	e := &end{}
	fmt.Println(steps(e, n), e.pc)
	fmt.Println(steps(w, n), steps(&big{}, n))

	words := strings.Fields("a list of words of some lengths that are to be sorted by these")
	for range 200 {
		sort.Sort(sort.Reverse(byLen(words)))
		sort.Stable(byLen(words))
	}
	fmt.Println(words)
	try(func() { sort.Sort(short{byLen(words)}) })

	var s stack = &ints{}
	sum := 0
	for i := range n {
		s.push(i, i+1)
		a, err := s.pop()
		if i%7 == 0 {
			_, err = s.pop()
			_, err = (&ints{}).pop()
		}
		if err != nil {
			sum++
		}
		sum += a
	}
	fmt.Println(sum)
	for {
		if _, err := s.pop(); err != nil {
			fmt.Println(err)
			break
		}
	}
	fmt.Println(grow(&leaf{&leaf{}}, 200000) != nil)
}

// More than there is.
type short struct{ byLen }

func (s short) Len() int { return len(s.byLen) + 1 }
