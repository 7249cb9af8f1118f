// run
// SPDX-License-Identifier: MIT

// Every kind of statement and expression in generic functions: what an
// instance is made of is a copy, and each of them is copied in its own way.
package main

import "fmt"

type base[T any] struct {
	id  int
	val T
}

func (b base[T]) Val() T    { return b.val }
func (b *base[T]) Inc() int { b.id++; return b.id }

type mid[T any] struct {
	*base[T]
	name string
}

type top[T any] struct {
	mid[T]
	list []T
	opts struct {
		on   bool
		deep map[string]T
	}
}

func build[T any](id int, vs ...T) *top[T] {
	t := &top[T]{mid: mid[T]{base: &base[T]{val: vs[0], id: id}, name: "m"}, list: vs}
	t.opts.on = true
	t.opts.deep = map[string]T{"first": vs[0], "last": vs[len(vs)-1]}
	return t
}

func fields[T any](t *top[T]) (int, T, T, string, T) {
	t.id += 10
	t.mid.name += "!"
	p := &t.val
	*p = t.list[1]
	return t.Inc(), t.Val(), t.base.val, t.name, t.opts.deep["last"]
}

func jumps[T comparable](ts []T, stop, skip T) (out []T) {
	i := 0
again:
	if i < len(ts) {
		if ts[i] == stop {
			goto done
		}
		i++
		goto again
	}
done:
	out = append(out, ts[:i]...)
outer:
	for j := 0; ; j++ {
		switch {
		case j >= len(ts):
			break outer
		case ts[j] == skip:
			continue outer
		}
		for _, t := range ts {
			if t == ts[j] {
				out = append(out, t)
				continue outer
			} else if t == stop {
				break
			} else {
				const c = 2
				var k, l = c, t
				_ = l
				k++
			}
		}
	}
	return
}

func choose[T ~int](x T) string {
	switch y := x * 2; y {
	case 2:
		fallthrough
	case 4:
		return "small"
	case T(6), 8:
		return fmt.Sprint("six or eight ", y)
	default:
		if y < 0 {
			return "negative"
		} else if y%3 == 0 {
			return "threes"
		}
	}
	return "none"
}

func channels[T any](a, b chan T, t T) (s string) {
	for range 4 {
		select {
		case v, ok := <-a:
			s += fmt.Sprint("a", v, ok)
			a = nil
		case b <- t:
			s += "sent "
			b = nil
		default:
			s += "none "
		}
	}
	return s
}

func literals[T any](a, b T) string {
	type pair struct{ x, y T }
	m := map[string]pair{"k": {a, b}, "l": {y: a}}
	n := [...]*pair{2: {a, a}, {x: b}}
	f := func(ps ...pair) int { return len(ps) }
	g := [][]T{{a}, {a, b}, nil}
	var i interface{ Val() T } = &base[T]{val: b}
	return fmt.Sprint(m["k"].y, m["l"], len(n), *n[2], n[3].x, f(m["k"], *n[3]), g, i.Val(), g[1][len(g[1])-1:])
}

func arith[T ~int | ~uint8 | ~float64](a, b, c T) T {
	x := a + b + c + a*b - c/b + -a + (a+b)*2
	x += a
	x++
	x -= 1
	return x
}

func assign[T any](ts []T) []T {
	m := make(map[int]T)
	ts[0], ts[1] = ts[1], ts[0]
	m[0], ts[2] = ts[2], ts[0]
	v, ok := m[0]
	w, no := m[9]
	_, _, _ = w, ok, no
	var a [3]T
	for i := range a {
		a[i] = ts[i%len(ts)]
	}
	copy(ts[1:], a[:1])
	return append(ts, v, a[len(a)-1])
}

func nested[T any](t T) func() func() []T {
	calls := 0
	return func() func() []T {
		calls++
		var acc []T
		return func() (r []T) {
			defer func() {
				if recover() != nil {
					r = append(acc, t)
				}
			}()
			for range calls {
				acc = append(acc, t)
			}
			panic("x")
		}
	}
}

func later[T any](ts ...T) {
	for i, t := range ts {
		defer fmt.Print(i, t, " ")
		defer func(s string) { fmt.Print(s, t, " ") }("d")
	}
	done := make(chan bool)
	go func(ts ...T) { fmt.Println(len(ts), ts); close(done) }(ts...)
	<-done
	defer close(make(chan T))
	go println2[T](done)
}

func println2[T any](c chan bool) {}

func main() {
	fmt.Println(fields(build(1, "a", "b", "c")))
	fmt.Println(fields(build(5, 1.5, 2.5)))
	fmt.Println(jumps([]int{1, 2, 3, 4, 2}, 3, 2), jumps([]string{"a", "b"}, "z", "a"))
	for _, x := range []int{1, 2, 3, 4, -1, 6, 5} {
		fmt.Print(choose(x), ", ")
	}
	fmt.Println()
	a, b := make(chan string, 1), make(chan string, 1)
	a <- "v"
	s := channels(a, b, "t")
	fmt.Println(len(s), <-b)
	fmt.Println(literals("p", "q"), literals(1, 2), literals[any](nil, 3))
	fmt.Println(arith(7, 2, 3), arith[uint8](200, 100, 50), arith(1.5, 2, 4))
	fmt.Println(assign([]string{"x", "y", "z"}), assign([]any{1, "2", nil}))
	f := nested("n")
	fmt.Println(f()(), f()(), nested(1)()())
	later(1, 2)
	later("a")
	fmt.Println()
}
