// run

// What follows a function that is spliced in goes on with what is in registers,
// also where machine code has been left within it and the interpreter returns:
// here because the stack has no room for what it calls.
package main

import "fmt"

type node struct {
	left, right *node
	n           int
}

//go:noinline
func leaf(n int) int { return n ^ 5 }

func step(n, a int) int {
	r := down(n-1, a+1)
	return r*3 + a
}

func down(n, a int) int {
	if n == 0 {
		return leaf(a)
	}
	x, y, z := n*7, a^n, n-a
	r := step(n, a)
	return r + x - y + z
}

func half(n int, f float64) float64 {
	r := floats(n-1, f/2)
	return r + f
}

func floats(n int, f float64) float64 {
	if n == 0 {
		return f
	}
	g, h := f*1.5, float64(n)-f
	return half(n, f) + g/h - h
}

func longer(n int, s string) (string, int) {
	t, k := text(n-1, s)
	return t, k + len(s)
}

func text(n int, s string) (string, int) {
	if n == 0 {
		return s, 1
	}
	u := s
	if n%64 == 0 {
		u = s[n%7:] + "abcdefgh"[n%8:]
	}
	t, k := longer(n, u)
	return t, k*3 + len(u) + n + int(s[0])
}

func other(n int, p *node) *node {
	q := tree(n-1, p.right)
	return q
}

// p is no nil pointer behind the call, since it has been asked for before.
func tree(n int, p *node) *node {
	if n == 0 {
		return p
	}
	p.n += n
	l := p.left
	q := other(n, p)
	p.n ^= q.n
	if l != p.left {
		panic("changed")
	}
	return l
}

// Two such functions, one in the other: each return goes on in the next one.
func inner(n int, a [2]int) (int, int) {
	x, y := pair(n-1, a[1], a[0])
	return y, x
}

func outer(n int, a [2]int) (int, int) {
	k := a[0] - n
	x, y := inner(n, a)
	return x + k, y
}

func pair(n, a, b int) (int, int) {
	if n == 0 {
		return a, b
	}
	c, d := a*b, a-b
	x, y := outer(n, [2]int{a + 1, b + 2})
	return x ^ c, y + d
}

func in(f func()) {
	done := make(chan bool)
	go func() {
		f()
		close(done)
	}()
	<-done
}

func main() {
	nodes := make([]node, 100)
	for i := range nodes {
		nodes[i] = node{&nodes[i*7%100], &nodes[(i*13+1)%100], i}
	}
	// Each time on a stack that is small again.
	for n := 1; n < 6000; n = n*3/2 + 1 {
		in(func() { fmt.Println(n, down(n, 3)) })
		in(func() { fmt.Println(floats(n, 1e3)) })
		in(func() {
			s, k := text(n, "text")
			fmt.Println(len(s), k)
		})
		in(func() { fmt.Println(tree(n, &nodes[n%100]).n) })
		in(func() { fmt.Println(pair(n, 5, n)) })
	}
	sum := 0
	for i := range nodes {
		sum = sum*31 + nodes[i].n
	}
	fmt.Println(sum)
}
