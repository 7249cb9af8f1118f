// run
// SPDX-License-Identifier: MIT

// Ranges over methods by their values: the receiver is what it was when the
// loop began, and is there before anything of the loop is.
package main

import "fmt"

type vec struct{ a []int }

func (v *vec) Each(yield func(int, int) bool) {
	for i, x := range v.a {
		if !yield(i, x) {
			return
		}
	}
}

type span struct{ from, to int }

func (s span) All(yield func(int) bool) {
	for i := s.from; i < s.to; i++ {
		if !yield(i) {
			return
		}
	}
}

type none struct{}

func (none) Once(yield func() bool) { yield() }

type outer struct {
	*vec
	s span
	none
}

type ranger interface{ All(func(int) bool) }

type list[T any] struct {
	v    T
	next *list[T]
}

func (l *list[T]) All(yield func(T) bool) {
	for ; l != nil; l = l.next {
		if !yield(l.v) {
			return
		}
	}
}

func sum[R ranger](r R) (n int) {
	for i := range r.All {
		n += i
	}
	return n
}

func each[T any](l *list[T]) (all []T) {
	for v := range l.All {
		all = append(all, v)
	}
	return all
}

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func get(s *span) *span { fmt.Print("get "); return s }

func (s span) Caught(yield func(int) bool) {
	defer func() { fmt.Print("[", recover(), "] ") }()
	s.All(yield)
}

func main() {
	o := outer{vec: &vec{[]int{3, 1, 2}}, s: span{1, 4}}
	total := 0
	for range 300 {
		for i, x := range o.Each {
			total += i * x
		}
		for i := range o.s.All {
			o.s = span{0, 1}
			total += i
		}
		o.s.to = 4
		for range o.Once {
			total++
		}
		for i := range (&o.s).All {
			if i == 2 {
				break
			}
			total += i
		}
	}
	fmt.Println(total, sum(o.s), sum(&o.s), sum[ranger](o.s))
	fmt.Println(each(&list[string]{"a", &list[string]{"b", nil}}), each[int](nil))
	for i := range get(&o.s).All {
		fmt.Print(i, " ")
	}
	fmt.Println()
	var p *span
	var v *vec
	var r ranger
	try(func() {
		for range p.All {
		}
	})
	try(func() {
		for range v.Each {
		}
	})
	try(func() {
		for range r.All {
		}
	})
	try(func() {
		for range o.s.Caught {
			panic("body")
		}
	})
	all := o.s.All
	for i := range all {
		fmt.Print(i)
	}
	fmt.Println()
}
