// run
package main

import (
	"fmt"
	"runtime"
	"strings"
)

// Characters of every width, broken ones too, at every place.
//
//go:noinline
func runes(s string) (n, sum, last int) {
	for i, r := range s {
		n++
		sum += i * int(r)
		last = i
	}
	return
}

func ranges() {
	parts := []string{"a", "é", "€", "😀", "\x80", "\xff", "\xe2\x82", "\xed\xa0\x80",
		"\xf4\x90\x80\x80", "", "\x00"}
	total := [3]int{}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				n, sum, last := runes(a + b + c)
				total[0] += n
				total[1] = total[1]*31 + sum
				total[2] += last
			}
		}
	}
	fmt.Println("ranges", total)
}

// More values than registers stay what they are around characters that are
// decoded by a function.
//
//go:noinline
func crowded(s string, x float64) (int, float64) {
	a, b, c, d, e, f, g, h := 1, 2, 3, 4, 5, 6, 7, 8
	p, q, r, t, u, v := x, x+1, x+2, x+3, x+4, x+5
	for i, ch := range s {
		a, b, c, d, e, f, g, h = b+i, c, d+int(ch), e, f, g, h, a
		p, q, r, t, u, v = q*1.5, r, t-p, u, v, p+float64(ch)
	}
	return a + 2*b + 3*c + 4*d + 5*e + 6*f + 7*g + 8*h,
		p + 2*q + 3*r + 4*t + 5*u + 6*v
}

//go:noinline
func order(a, b string) (n int) {
	if a < b {
		n |= 1
	}
	if a <= b {
		n |= 2
	}
	less := a < b
	if less != (b > a) {
		n |= 4
	}
	return
}

func orders() {
	words := []string{"", "a", "ab", "abc", "abd", "b", "\xff", "a\x00", "aa",
		strings.Repeat("x", 40), strings.Repeat("x", 39) + "y", strings.Repeat("x", 41)}
	h := 0
	for k := 0; k < 20; k++ {
		for _, a := range words {
			for _, b := range words {
				h = h*5 + order(a, b)
			}
		}
	}
	fmt.Println("orders", h)
}

type pair struct {
	s string
	n any
}

//go:noinline
func same(a, b any) (n int) {
	if a == b {
		n++
	}
	eq := a == b
	if eq {
		n += 2
	}
	return
}

//go:noinline
func sameOrNot(a, b any) (s string) {
	defer func() {
		if e := recover(); e != nil {
			s = fmt.Sprint(e)
		}
	}()
	return fmt.Sprint(a == b)
}

func equals() {
	p, nan := new(int), 0.0
	nan = nan / nan
	var err error
	values := []any{nil, 1, int8(1), "one", "on" + string([]byte{'e'}), p, new(int), 1.5,
		nan, pair{"x", 1}, pair{"x", "y"}, pair{"x", 1}, err, [2]int{1, 2}, [2]int{1, 2},
		struct{}{}, fmt.Errorf, true, complex(1, 2)}
	h := 0
	for k := 0; k < 20; k++ {
		for i, a := range values {
			for j, b := range values {
				if i != 16 && j != 16 {
					h = h*4 + same(a, b)
				}
			}
		}
	}
	fmt.Println("equals", h)
	f := values[16]
	for k := 0; k < 300; k++ {
		s := sameOrNot(f, f) + sameOrNot(f, 1) + sameOrNot(pair{"x", []int{}}, pair{"x", []int{}})
		if k == 299 {
			fmt.Println(s)
		}
	}
}

type node struct {
	next *node
	name string
	list []*node
	any  any
	fill [3]int
}

var global *node

// Pointers of every kind are stored while a collection marks beside.
func barriers() {
	const n = 300
	stop := make(chan bool)
	go func() {
		for i := 0; i < 20; i++ {
			runtime.GC()
		}
		close(stop)
	}()
	nodes := make([]*node, n)
	names := make([]string, n)
	for i := range nodes {
		nodes[i] = &node{}
	}
	rounds := 0
	for done := false; !done; rounds++ {
		select {
		case <-stop:
			done = true
		default:
		}
		for i := range nodes {
			x := &node{next: nodes[i].next, name: fmt.Sprint("n", i)}
			x.fill[1] = i
			nodes[i].next = nil
			nodes[i].list, nodes[i].any = nil, nil // or all that ever was stays
			nodes[i] = x
			nodes[(i+7)%n].next = x
			names[i] = x.name
			x.name = names[(i+1)%n]
			x.list = append(x.list[:0], nodes[(i+2)%n])
			x.any = x.list[0]
			x.list = x.list[:1]
			global = x
			names[0] = global.name
			nodes[3] = nodes[4]
		}
	}
	bad := 0
	for i, x := range nodes {
		if i != 3 && (x.fill[1] != i || names[i] == "" && i > 0 || x.any.(*node).fill[2] != 0) {
			bad++
		}
	}
	fmt.Println("barriers", rounds > 0, bad, global.fill[1])
}

func main() {
	ranges()
	for k := 0; k < 200; k++ {
		i, f := crowded("grüße, 世界! 😀\xff and more", 0.5)
		if k == 199 {
			fmt.Println(i, f)
		}
	}
	orders()
	equals()
	barriers()
}
