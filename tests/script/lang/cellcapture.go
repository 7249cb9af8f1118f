// run

// Deferred closures that nobody keeps, in functions that have used and left
// slots of all kinds before: what they capture is not where they lie.
package main

import (
	"errors"
	"fmt"
)

type item struct {
	n    int
	seen bool
}

type comp struct {
	known map[uintptr]*item
	count map[uintptr]int
	chain []uintptr
	depth int
}

func kind(v any) uintptr {
	switch v.(type) {
	case int:
		return 1
	case string:
		return 2
	}
	return 3
}

func (c *comp) key(k uintptr, ptr bool) uintptr {
	if ptr {
		return k + 100
	}
	return k
}

func (c *comp) walk(v any, ptr, share bool, left int) (*item, error) {
	k := kind(v)
	key := c.key(k, ptr)
	if n, ok := c.count[key]; share && ok && n > 128 {
		if _, on := c.known[key]; !on {
			return &item{n: n, seen: true}, nil
		}
	}
	if it, ok := c.known[key]; ok {
		same := *it
		same.seen = true
		return &same, nil
	}
	c.chain = append(c.chain, key)
	defer func() { c.chain = c.chain[:len(c.chain)-1] }()
	it := &item{n: left}
	c.known[key] = it
	if left == 0 {
		return nil, errors.New("no more")
	}
	next := any(left)
	if left%2 == 0 {
		next = fmt.Sprint(left)
	}
	sub, err := c.walk(next, !ptr, share, left-1)
	if err != nil {
		return sub, err
	}
	it.n += sub.n
	delete(c.known, key)
	c.count[key]++
	return it, nil
}

var keep []*item

// The lowest free slot for a pointer is above two that are for numbers.
func above(g *item, m map[int]*item, c map[int]int, x int) int {
	var s []*item
	s = append(s, m[x])
	s = append(s, m[x])
	s = append(s, m[x])
	p := &item{n: x}
	keep = append(keep, p)
	if n, ok := c[4]; ok && n > x {
		return n
	}
	q := &item{n: x}
	keep = append(keep, q)
	defer func() { g.n++ }()
	m[x] = &item{n: x}
	return x + len(s)
}

func main() {
	c := &comp{known: map[uintptr]*item{}, count: map[uintptr]int{}}
	for i := 0; i < 5; i++ {
		it, err := c.walk(i, i%2 == 0, i > 2, i)
		fmt.Println(it != nil, err, len(c.chain), len(c.known))
	}
	g := &item{}
	fmt.Println(above(g, map[int]*item{}, map[int]int{}, 1), g.n)
}
