// run

// An iterator in a variable, which its loops know all the same: their state and
// what they share with their bodies is no memory of the heap, unless the iterator
// keeps its yield function, or the variable may hold another one.
package main

import (
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"testing"
)

var kept func(int) bool

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// Keeps its yield function.
func keeping(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		kept = yield
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func filter(seq iter.Seq[int], pred func(int) bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		for v := range seq {
			if pred(v) && !yield(v) {
				return
			}
		}
	}
}

func churn() {
	var all [][]int
	for i := range 50 {
		all = append(all, make([]int, i))
	}
	runtime.GC()
	_ = all
}

func called(f func(int) bool, v int) (ok bool, err any) {
	defer func() { err = recover() }()
	return f(v), nil
}

// Again and again, as a variable, of its own type or another, and of a literal.
func again() (s int) {
	seq := count(5)
	var same iter.Seq[int] = seq
	conv := (func(func(int) bool))(seq)
	mine := func(yield func(int) bool) { _ = yield(7) && yield(8) }
	for range 3 {
		for v := range seq {
			s += v
		}
		for v := range same {
			s += v
			if v == 3 {
				break
			}
		}
		for v := range conv {
			s += 100 * v
		}
		for v := range iter.Seq[int](mine) {
			s += 1000 * v
		}
	}
	return s
}

func others(x []int, m map[int]int) (s int) {
	values, all := slices.Values(x), maps.All(m)
	third := filter(values, func(v int) bool { return v%3 == 0 })
	for range 2 {
		for v := range third {
			s += v
		}
		for k, v := range all {
			s += k * v
		}
	}
	return s
}

// Of a call of a variable, what it does with what it gets is known as well.
func calls() (s int) {
	add := func(f func(int) bool) { f(1); f(2) }
	seq := count(4)
	add(func(v int) bool { s += v; return true })
	seq(func(v int) bool { s += 10 * v; return v < 2 })
	return s
}

// It may be another one when it is used.
func reassigned(n int) (s int) {
	seq := count(n)
	if n > 2 {
		seq = keeping(n)
	}
	for v := range seq {
		s += v
	}
	return s
}

func byAddress(n int) (s int) {
	seq := count(n)
	p := &seq
	*p = keeping(n)
	for v := range seq {
		s += v
	}
	return s
}

// A literal that keeps what it gets, in a variable around it, and one that hands
// it to another one.
func literals(n int) []func(int) bool {
	var all []func(int) bool
	last := func(int) bool { return false }
	seq := func(yield func(int) bool) {
		last = yield
		yield(n)
	}
	hand := func(yield func(int) bool) { seq(yield) }
	for i := range 3 {
		for v := range seq {
			n += v + i
		}
		all = append(all, last)
		for v := range hand {
			n += v
		}
		all = append(all, last)
	}
	return all
}

// In a function within, over an iterator of the one around.
func within(n int) func() int {
	seq := keeping(n)
	ok := count(n)
	return func() (s int) {
		for v := range seq {
			for w := range ok {
				s += v * w
			}
		}
		return s
	}
}

// A loop's body that returns a yield function of the loop around.
func nested(n int) (s int) {
	outer, inner := count(n), keeping(n)
	for v := range outer {
		for w := range inner {
			s += v * w
			if w > v {
				break
			}
		}
		churn()
	}
	return s
}

func main() {
	x, m := []int{1, 3, 6, 8, 9}, map[int]int{2: 3, 4: 5}
	fmt.Println(again(), others(x, m), calls())
	fmt.Println(testing.AllocsPerRun(100, func() { again() }) < 1,
		testing.AllocsPerRun(100, func() { calls() }) < 1)
	for _, f := range []func(int) int{reassigned, byAddress, nested,
		func(n int) int { return within(n)() }} {
		kept = nil
		fmt.Println(f(4), kept != nil)
		churn()
		if kept != nil {
			fmt.Println(called(kept, 1))
			fmt.Println(called(kept, 2))
		}
	}
	for i, f := range literals(2) {
		churn()
		fmt.Print(i, " ")
		fmt.Println(called(f, i))
	}
}
