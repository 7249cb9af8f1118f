// run

// Frames with arrays in their cells beside variables and closures: each has its
// own words, and the collector finds the pointers in all of them.
package main

import (
	"fmt"
	"iter"
	"runtime"
)

type list[T any] struct{ items []T }

func (l *list[T]) all() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, v := range l.items {
			if !yield(i, v) {
				return
			}
		}
	}
}

func churn() {
	var all [][]int
	for i := range 20 {
		all = append(all, make([]int, i))
	}
	runtime.GC()
	_ = all
}

func numbers(rounds int) (s int) {
	x := make([]int, 1000)
	for i := range x {
		x[i] = i
	}
	l := &list[int]{x}
	for range rounds {
		t := 0
		for i, v := range l.all() {
			if i%7 == 0 {
				continue
			}
			t += v - i/2
		}
		s += t
	}
	return s
}

// Pointers in arrays of pointers, in what is small before and behind them.
func pointers(rounds int) (s int) {
	one := &list[*int]{}
	a := [40]*int{}
	b := make([]string, 200)
	two := &list[string]{b}
	c := [30]*list[int]{}
	last := new(string)
	d := make([]*int, 150)
	e := make([]int, 150)
	three := &list[*int]{d}
	for r := range rounds {
		for i := range a {
			n := i + r
			a[i] = &n
			c[i%30] = &list[int]{[]int{n, n + 1}}
		}
		for i := range b {
			b[i] = fmt.Sprint("s", i, r)
		}
		one.items = a[:]
		for i, p := range one.all() {
			s += i ^ *p
			if i == 20 {
				churn()
			}
		}
		for i := range d {
			n := r * i
			d[i] = &n
			e[i] += n
		}
		churn()
		for i, p := range three.all() {
			s += *p - e[i]
		}
		for i, t := range two.all() {
			if i > 150 {
				break
			}
			s += len(t)
			*last = t
		}
		for i := range c {
			for _, v := range c[i].all() {
				s += v
			}
		}
		s += len(*last)
	}
	return s
}

// Cells that are made anew in each round, one of them behind what is large.
func anew(rounds int) (s int) {
	big := make([]int, 256)
	var funcs [20]func() int
	for r := range rounds {
		v, w := r, &list[int]{big[:r%10]}
		add := func(n int) { v += n }
		tmp := make([]int, 100)
		for i, n := range w.all() {
			add(n + i)
			tmp[i] = v
			big[(r+i)%256]++
		}
		k := r
		funcs[r%20] = func() int { k++; return k }
		s += v + tmp[3]
	}
	for i := range funcs {
		s += funcs[i]()
	}
	return s
}

func main() {
	fmt.Println(numbers(300), pointers(30), anew(3000))
}
