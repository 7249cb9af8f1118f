// run
// SPDX-License-Identifier: MIT

// Generic types: methods, recursion, embedding, generics in generics.
package main

import (
	"cmp"
	"fmt"
	"sort"
	"strings"
)

type List[T any] struct {
	head, tail *node[T]
	n          int
}

type node[T any] struct {
	val  T
	next *node[T]
}

func (l *List[T]) Push(v T) *List[T] {
	n := &node[T]{val: v}
	if l.tail == nil {
		l.head = n
	} else {
		l.tail.next = n
	}
	l.tail = n
	l.n++
	return l
}

func (l *List[E]) Each(f func(int, E)) {
	i := 0
	for n := l.head; n != nil; n = n.next {
		f(i, n.val)
		i++
	}
}

func (l List[_]) Len() int { return l.n }

func (l *List[T]) String() string {
	var b strings.Builder
	l.Each(func(i int, v T) {
		if i > 0 {
			b.WriteString(" -> ")
		}
		fmt.Fprint(&b, v)
	})
	return b.String()
}

func Map[A, B any](l *List[A], f func(A) B) *List[B] {
	out := new(List[B])
	l.Each(func(_ int, a A) { out.Push(f(a)) })
	return out
}

type Tree[K cmp.Ordered, V any] struct {
	left, right *Tree[K, V]
	key         K
	val         V
}

func (t *Tree[K, V]) Put(k K, v V) *Tree[K, V] {
	if t == nil {
		return &Tree[K, V]{key: k, val: v}
	}
	switch c := cmp.Compare(k, t.key); {
	case c < 0:
		t.left = t.left.Put(k, v)
	case c > 0:
		t.right = t.right.Put(k, v)
	default:
		t.val = v
	}
	return t
}

func (t *Tree[K, V]) Walk(f func(K, V)) {
	if t != nil {
		t.left.Walk(f)
		f(t.key, t.val)
		t.right.Walk(f)
	}
}

type Pair[A, B any] struct {
	First  A
	Second B
}

func MakePair[A, B any](a A, b B) Pair[A, B] { return Pair[A, B]{a, b} }

func (p Pair[A, B]) Swap() Pair[B, A] { return Pair[B, A]{First: p.Second, Second: p.First} }

type Set[T comparable] map[T]struct{}

func (s Set[T]) Add(vs ...T) Set[T] {
	for _, v := range vs {
		s[v] = struct{}{}
	}
	return s
}

func (s Set[T]) Has(v T) bool { _, ok := s[v]; return ok }

type Stack[T any] []T

func (s *Stack[T]) Push(v T) { *s = append(*s, v) }
func (s *Stack[T]) Pop() (v T, ok bool) {
	if len(*s) == 0 {
		return
	}
	v = (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return v, true
}

// Embedding instances, and a type parameter's instance.
type Named[T any] struct {
	Stack[T]
	*List[Pair[string, T]]
	Name string
}

type Matrix[T any] [2][2]T

func (m *Matrix[T]) At(i, j int) *T { return &m[i][j] }

type Chan[T any] chan T

func (c Chan[T]) Send(v T) { c <- v }

type Func[A, B any] func(A) B

func (f Func[A, B]) Call(a A) B { return f(a) }

type Getter[T any] interface{ Get() T }

type box[T any] struct{ v T }

func (b box[T]) Get() T { return b.v }

func get[T any](g Getter[T]) T { return g.Get() }

// Arguments of the arguments.
type Deep[T any] struct {
	m map[string][]Pair[*T, func(T) Set[string]]
}

func main() {
	l := new(List[int]).Push(1).Push(2).Push(3)
	fmt.Println(l, l.Len(), Map(l, func(i int) string { return strings.Repeat("x", i) }))
	var t *Tree[string, int]
	for i, w := range strings.Fields("the quick brown fox jumps over the lazy dog") {
		t = t.Put(w, i)
	}
	t.Walk(func(k string, v int) { fmt.Print(k, "=", v, " ") })
	fmt.Println()
	p := MakePair("a", 1)
	fmt.Println(p, p.Swap(), p.Swap().Swap() == p)
	fmt.Printf("%T %+v\n", p.Swap(), p)
	s := Set[float64]{}.Add(1, 2.5)
	fmt.Println(s.Has(2.5), s.Has(3), len(s))
	n := Named[rune]{List: &List[Pair[string, rune]]{}, Name: "n"}
	n.Stack.Push('a')
	n.Stack.Push('b')
	n.List.Push(MakePair("x", 'x'))
	v, ok := n.Pop()
	fmt.Println(v, ok, n.Len(), n.List, n.Name)
	var m Matrix[complex128]
	*m.At(1, 0) = 2i
	fmt.Println(m)
	c := make(Chan[string], 1)
	c.Send("hi")
	fmt.Println(<-c, Func[int, string](func(i int) string { return fmt.Sprint(i * 2) }).Call(21))
	fmt.Println(get[int](box[int]{7}), get(Getter[string](box[string]{"b"})))
	x := 3
	d := Deep[int]{m: map[string][]Pair[*int, func(int) Set[string]]{
		"k": {{&x, func(i int) Set[string] { return Set[string]{}.Add(fmt.Sprint(i), "z") }}},
	}}
	e := d.m["k"][0]
	var names []string
	for k := range e.Second(*e.First) {
		names = append(names, k)
	}
	sort.Strings(names)
	fmt.Println(names)
	fmt.Printf("%T\n%T\n", d, n)
}
