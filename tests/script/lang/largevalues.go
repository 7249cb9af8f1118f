// run
// SPDX-License-Identifier: MIT

// Large values in interfaces, larger than a frame may be.
package main

import (
	"fmt"
	"reflect"
)

type big struct {
	n int
	a [100000]int
	p *int
}

func next(p *int) int { *p++; return *p }

func take(v any) string { return fmt.Sprintf("%T", v) }

func first[T any](v any, at func(*T) int) int { t := v.(T); return at(&t) }

func main() {
	var i any = [2][40000]int{{1}, {2}}
	fmt.Printf("%T %d\n", i, i.([2][40000]int)[1][0])
	n := 0
	fmt.Println(take([100000]int{5: next(&n)}), take(big{n: next(&n), p: &n}), n)
	j := any(big{n: next(&n), p: &n})
	b := j.(big)
	b.n = 100
	*b.p++
	fmt.Println(b.n, j.(big).n, *j.(big).p, len(j.(big).a), n)
	fmt.Println(j == any(b), j == any(j.(big)), b == j.(big), j.(big) == j.(big))
	var c [100000]int
	c[7] = 9
	i = c
	c[7] = 10
	d := i.([100000]int)
	i = any([100000]int{1})
	fmt.Println(d[7], c[7], i.([100000]int)[0])
	for k, v := range i.([100000]int) {
		if v != 0 {
			fmt.Println(k, v)
		}
	}
	s := []any{[70000]byte{3}, big{n: 4}}
	m := map[string]any{"x": [90000]int16{1, 2}}
	fmt.Println(reflect.TypeOf(s[0]), s[1].(big).n, m["x"].([90000]int16)[1])
	func() {
		defer func() { fmt.Println(recover()) }()
		d = i.([100000]int)
		d = s[0].([100000]int)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		_ = i.(big).n
	}()
	switch x := j.(type) {
	case big:
		x.n++
		fmt.Println(x.n, j.(big).n)
	}
	p := new([50]int)
	p[3] = 4
	i = *p
	p[3] = 5
	fmt.Println(i.([50]int)[3], i.([50]int) == *p)
	fmt.Println(first(j, func(b *big) int { b.n++; return b.n }), j.(big).n)
	e := i.([50]int)
	e[3] = 6
	fmt.Println(i.([50]int)[3], e[3])
}
