// run
// SPDX-License-Identifier: MIT

// Slices that are put back where they came from, longer or shorter, and such
// that only look like it.
package main

import (
	"fmt"
	"runtime"
)

type node struct{ v int }

type bag struct {
	s    []int
	p    []*node
	wide []wide
}

type wide struct {
	a, b, c, d, e int
	s             string
}

func (b *bag) push(v int) {
	b.s = append(b.s, v)
	b.p = append(b.p, &node{v})
	b.wide = append(b.wide, wide{v, v + 1, v + 2, v + 3, v + 4, "w"})
}

func (b *bag) pop() (int, *node, wide) {
	n := len(b.s) - 1
	v, p, w := b.s[n], b.p[n], b.wide[n]
	b.s = b.s[:n]
	b.p = b.p[:n]
	b.wide = b.wide[:n]
	return v, p, w
}

func (b *bag) shift() int {
	v := b.s[0]
	b.s = b.s[1:]
	b.p = b.p[1:]
	b.wide = b.wide[1:]
	return v
}

// The slice comes from one bag and goes to another.
func move(from, to *bag, v int) {
	t := from.s
	q := from.p
	from = to
	from.s = append(t, v)
	from.p = append(q, &node{v})
}

// Behind the load the field is set to something else.
func between(b *bag, v int) int {
	t := b.s
	b.s = nil
	b.s = append(t, v)
	return len(b.s)
}

// A limit of the capacity makes the next one another array.
func limit(b *bag, n int) {
	b.s = b.s[:n:n]
	b.p = b.p[:n:n]
}

func five(a, b wide) (wide, wide) { return b, a }

func rotate(a, b, c wide) (wide, wide, wide) {
	a, b, c = b, c, a
	a, b = five(a, b)
	return a, b, c
}

func main() {
	b, other := &bag{}, &bag{}
	sum := 0
	for i := 0; i < 3000; i++ {
		b.push(i)
		if i%3 == 2 {
			v, p, w := b.pop()
			sum += v + p.v + w.e + len(w.s)
		}
		if i%7 == 6 {
			sum += b.shift()
		}
		if i%500 == 499 {
			limit(b, len(b.s)-1)
			move(b, other, i)
			sum += between(b, i)
			b.p = append(b.p, &node{i})
			b.wide = b.wide[:len(b.s)]
			runtime.GC()
		}
	}
	for i, p := range b.p {
		if p.v != b.s[i] {
			fmt.Println("differ", i, p.v, b.s[i])
			break
		}
	}
	fmt.Println(sum, len(b.s), len(b.p), len(b.wide), len(other.s), other.p[len(other.p)-1].v)
	x, y, z := wide{a: 1, s: "x"}, wide{b: 2, s: "y"}, wide{c: 3, s: "z"}
	for i := 0; i < 3001; i++ {
		x, y, z = rotate(x, y, z)
	}
	fmt.Println(x, y, z)
}
