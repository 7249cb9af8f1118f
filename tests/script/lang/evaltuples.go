// run
//
// The order of evaluation beyond calls and simple assignments: several places
// that one call fills, values with an ok, x++, ranges, receivers, what becomes
// an interface, entries of maps, cases.
package main

import "fmt"

type T struct {
	i int
	s []int
	m map[int]int
}

type two struct{ x, y int }

func (t T) val(x int) int { return t.i*100 + x }

var (
	g  = &T{1, []int{1, 2, 3}, map[int]int{1: 10}}
	n  int
	on bool
)

// next changes what g points at, and what g is.
//
//go:noinline
func next() int {
	n++
	on = !on
	g.i -= 7
	g = &T{n * 10, []int{n, n + 1, n + 2}, map[int]int{1: n, 2: n}}
	return 1
}

//go:noinline
func pair() (int, int) { return next() + 4, n }

//go:noinline
func this() *T { return g }

func state(what string, v ...any) {
	fmt.Println(what, fmt.Sprint(v...), g.i, g.s, g.m, n)
}

func main() {
	g.s[0], g.i = pair()
	state("tuple")
	g.m[next()], g.s[1] = pair()
	state("calls on the left")
	old := g
	old.i, g.i = pair()
	state("local pointer", old.i)
	x, ok := g.m[next()]
	state("map, ok", x, ok)
	g.s[next()], ok = g.m[next()]
	state("both sides", ok)
	g.s[next()]++
	state("++")
	g.m[next()]--
	state("-- of a map")
	g.s[next()] += next()
	state("+=")
	for i, v := range []int{g.i, next(), g.i} {
		fmt.Println("range", i, v)
	}
	for i, v := range g.s[g.i&1 : 1+next()] {
		fmt.Println("range of a slice", i, v)
	}
	state("receiver", this().val(next()))
	state("boxes", on, !on, two{g.i, n}, g.i, next())
	state("conversions", any(!on), any(on), any(g.i), any(next()))
	state("of no type", []any{!on, g.i, next()})
	state("map literal", map[int]int{g.i: next(), g.i + 1: g.i}, map[string]int{"a": g.i}["a"], next())
	switch g.i + next() {
	case g.i + next()*1000:
		fmt.Println("never")
	case n*10 + 1, g.i + 1 + next():
		state("case")
	default:
		state("none")
	}
	switch y := any(g.i + next()).(type) {
	case int:
		state("type switch", y)
	}
	ch := make(chan int, 1)
	select {
	case ch <- g.i + next():
	default:
	}
	state("select", <-ch)
	var e any = g.i
	z, isInt := e.(int)
	g.s[0], isInt = e.(int)
	state("assertion", z, isInt)
}
