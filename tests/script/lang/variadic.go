// run
// SPDX-License-Identifier: MIT

// Variadic functions, multiple and named results, function types.
package main

import (
	"errors"
	"fmt"
)

func sum(base int, xs ...int) int {
	for _, x := range xs {
		base += x
	}
	return base
}

func grow(xs ...int) []int { return append(xs, 1) }
func set(xs ...string) {
	if len(xs) > 0 {
		xs[0] = "set"
	}
}
func isnil(xs ...int) (bool, int) { return xs == nil, len(xs) }

func divmod(a, b int) (q, r int, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("divmod: %v", x)
			q = -1
		}
	}()
	q = a / b
	r = a % b
	return
}

func shadowed() (n int, err error) {
	if n, err := 5, errors.New("inner"); err != nil {
		return n * 2, err
	}
	return
}

func blank(_ int, _ string) (_ int, s string) { s = "named"; return 3, s }

func early(n int) (s string) {
	defer func() { s = "<" + s + ">" }()
	if n == 0 {
		return
	}
	s = "x"
	return s + "y"
}

type op func(int, int) int

func (o op) twice(a, b int) int { return o(o(a, b), b) }

type printer interface{ print(...interface{}) string }
type pr string

func (p pr) print(a ...interface{}) string { return string(p) + fmt.Sprint(a...) }

func wrap(a ...interface{}) int { return len(a) }

func main() {
	fmt.Println(sum(1), sum(1, 2), sum(1, 2, 3), sum(1, []int{4, 5}...), sum(1, nil...))
	base := make([]int, 2, 10)
	g := grow(base...)
	fmt.Println(g, len(base), cap(g), base[:3])
	s := []string{"a", "b"}
	set(s...)
	set()
	fmt.Println(s)
	fmt.Println(isnil())
	fmt.Println(isnil([]int{}...))
	fmt.Println(divmod(17, 5))
	fmt.Println(divmod(1, 0))
	fmt.Println(shadowed())
	fmt.Println(blank(1, ""))
	fmt.Println(early(0), early(1))
	add := op(func(a, b int) int { return a + b })
	fmt.Println(add.twice(1, 2), op.twice(add, 3, 4))
	var p printer = pr("p:")
	fmt.Println(p.print(), p.print(1, "a", 2, 3), p.print([]interface{}{1, 2}...), p.print([]interface{}{1, 2}))
	fmt.Println(wrap(), wrap(nil), wrap(nil...), wrap([]int{1, 2}), wrap(divmod(9, 2)))
	fn := fmt.Sprint
	fmt.Println(fn("x", 1, 2, "y"))
	table := []struct {
		name string
		f    func(...float64) float64
	}{
		{"max", func(a ...float64) float64 { return max(a[0], a[1]) }},
		{"first", func(a ...float64) float64 { return a[0] }},
	}
	for _, t := range table {
		fmt.Println(t.name, t.f(1.5, 2.5))
	}
	fmt.Println(func(a, b, c int, d ...string) string {
		return fmt.Sprint(a, b, c, len(d))
	}(1, 2, 3, "x", "y"))
	var many func(a, b, c, d, e, f, g, h int64, x, y float64, s string, z ...byte) string
	many = func(a, b, c, d, e, f, g, h int64, x, y float64, s string, z ...byte) string {
		return fmt.Sprint(a, b, c, d, e, f, g, h, x, y, s, z)
	}
	fmt.Println(many(1, 2, 3, 4, 5, 6, 7, 8, 9.5, 10.25, "s", 'a', 'b'))
}
