// run
// SPDX-License-Identifier: MIT

// Constraints: methods, pointers to parameters that have them, type sets,
// comparable, parameters that mention each other.
package main

import (
	"fmt"
	"strings"
)

type Stringer interface{ String() string }

type name string

func (n name) String() string { return "name:" + string(n) }

type id struct{ n int }

func (i *id) String() string { return fmt.Sprintf("id#%d", i.n) }
func (i *id) Set(n int)      { i.n = n }
func (i id) Value() int      { return i.n }
func (n name) Value() int    { return len(n) }

func join[T Stringer](ts ...T) string {
	var parts []string
	for _, t := range ts {
		parts = append(parts, t.String())
	}
	return strings.Join(parts, ",")
}

// The usual way to have a T whose pointer has methods.
func build[T any, P interface {
	*T
	Set(int)
	Stringer
}](n int) (T, string) {
	var t T
	p := P(&t)
	p.Set(n)
	return t, p.String()
}

type valued interface {
	comparable
	Value() int
}

func find[T valued](ts []T, t T) (int, int) {
	for i, x := range ts {
		if x == t {
			return i, x.Value()
		}
	}
	return -1, 0
}

type text interface{ ~string | ~[]byte }

func count[T text](t T, b byte) (n int) {
	for i := 0; i < len(t); i++ {
		if t[i] == b {
			n++
		}
	}
	return n
}

func cut[T text](t T, n int) T { return t[:n] }

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func bits[T integer](x T) (n int) {
	for x != 0 {
		x &= x - 1
		n++
	}
	return
}

func shl[T integer](x T, n uint) T { return x << n }

type graph[N node[E], E edge[N]] struct{ nodes []N }
type node[E any] interface{ Edges() []E }
type edge[N any] interface{ Ends() (N, N) }

type city struct {
	name  string
	roads []*road
}
type road struct{ a, b *city }

func (c *city) Edges() []*road       { return c.roads }
func (r *road) Ends() (*city, *city) { return r.a, r.b }

func (g *graph[N, E]) degree(n N) int {
	d := 0
	for _, e := range n.Edges() {
		a, b := e.Ends()
		if any(a) == any(n) || any(b) == any(n) {
			d++
		}
	}
	return d
}

// T's own methods and operators through embedded constraints.
type ordered interface{ integer | ~string }
type both interface {
	ordered
	Stringer
}

type level int

func (l level) String() string { return [...]string{"low", "mid", "high"}[l] }

func max2[T both](a, b T) string {
	if a < b {
		a = b
	}
	return a.String()
}

func equal[T comparable](a, b T) bool { return a == b }

func main() {
	fmt.Println(join(name("a"), name("b")), join(&id{1}, &id{2}), join[Stringer](name("c"), &id{3}))
	fmt.Println(build[id](42))
	fmt.Println(find([]name{"a", "bcd"}, "bcd"))
	fmt.Println(find([]id{{1}, {2}}, id{2}))
	fmt.Println(count("banana", 'a'), count([]byte("xyz"), 'z'), count(name("aa"), 'a'))
	fmt.Println(cut("hello", 2), string(cut([]byte("hello"), 3)), cut(name("hello"), 4))
	fmt.Println(bits(255), bits(int8(-1)), bits(uint64(1)<<63), bits(level(2)))
	fmt.Println(shl(int8(1), 7), shl(uint16(1), 15), shl(1, 40), shl(uint8(200), 1))
	a, b := &city{name: "a"}, &city{name: "b"}
	r := &road{a, b}
	a.roads, b.roads = []*road{r, {b, b}}, []*road{r}
	g := graph[*city, *road]{[]*city{a, b}}
	fmt.Println(g.degree(a), g.degree(b))
	fmt.Println(max2(level(0), level(2)), max2(level(1), level(0)))
	fmt.Println(equal(1, 1), equal("a", "b"), equal[any](1, 1.0), equal[any]("x", "x"), equal(struct{ a, b any }{1, 2}, struct{ a, b any }{1, 2}))
	defer func() { fmt.Println(recover()) }()
	equal[any]([]int{1}, []int{1})
}
