// run

// Variables that are followed up to where their address gets to where it is not,
// in the same piece of code; and those whose address is in several places, one of
// which is used for something else.
package main

import "fmt"

type T struct{ a, b int }

var gp *int
var gt *T

func bump(t *T) { t.a++ }

// It looks at what is stored only there.
func bumps(t *T) int {
	t.b += t.a
	return t.b
}

func keep(t *T) { gt = t; t.b += 2 }

// What is stored before the address is lost is there behind it.
func late(n int) (s int) {
	for i := range n {
		x := i
		add := func() { x += 2 }
		add()
		x *= 3
		gp = &x
		s += *gp
		*gp = s & 7
		s += x
	}
	return s
}

func lateOnly(n int) (s int) {
	for i := range n {
		x := i
		add := func() { x += 2 }
		add()
		x *= 3
		gp = &x
		s += *gp
	}
	return s
}

func lateIn(n int, f func(*T)) (s int) {
	for i := range n {
		p := &T{i, 1}
		p.a *= 3
		p.b += i
		gt = p
		s += gt.a + gt.b
		gt.a = 5
		f(p)
		s += p.a - p.b
	}
	return s
}

// The slot where the object is made has other uses on one of the ways.
func bases(n int, f func(*T)) (s int) {
	for i := range n {
		p := &T{a: i, b: i + 1}
		if i%3 == 1 {
			s += (i + s) * (i + 5)
		} else if i%3 == 0 {
			q := &T{a: s, b: s + i}
			f(q)
			s += q.a*(i+1) + (q.b-i)*(i+2) - (i+3)*(i+4)
		}
		s += p.a
		p.a += 2
		s += bumps(p)
		s ^= p.a
		f(p)
		s ^= p.a + p.b
		s &= 1<<40 - 1
	}
	return s
}

func both(n int, f func(*T), g func() int) (s int) {
	for i := range n {
		p := &T{a: i, b: i + 1}
		x := i
		add := func(k int) { x += k; p.b += k }
		if i&1 == 0 {
			add(i)
		} else {
			s += g() * (i + 3)
			s ^= (s>>3 + i) * (i + 2)
			s &= 1<<40 - 1
		}
		p.a += x
		f(p)
		add(1)
		s += p.a + p.b + x
	}
	return s
}

func main() {
	one := func() int { return 1 }
	for range 3 {
		fmt.Println(late(10), late(1000), lateOnly(10), lateOnly(1000),
			lateIn(10, bump), lateIn(1000, bump))
		fmt.Println(bases(10, bump), bases(1000, bump), both(10, bump, one),
			both(1000, bump, one))
	}
	for range 3 {
		fmt.Println(lateIn(10, keep), lateIn(1000, keep), gt.a, gt.b)
		fmt.Println(bases(10, keep), bases(1000, keep), both(10, keep, one),
			both(1000, keep, one), gt.a, gt.b)
	}
}
