// run
// SPDX-License-Identifier: MIT
package main

import (
	"fmt"
	"runtime"
)

// Loops over functions whose variables nobody needs in memory, so that no block of
// cells is made for them but where machine code is left: in the middle of a loop, by
// a panic, for a larger stack, and within several frames at once.

func upto(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func pairs(n int) func(func(int, int) bool) {
	return func(yield func(int, int) bool) {
		for i := range upto(n) {
			if !yield(i, i*i) {
				return
			}
		}
	}
}

func sum(n int) int {
	s := 0
	for x := range upto(n) {
		s += x
	}
	return s
}

func nested(n int) int {
	s, last := 0, 0
	for i, j := range pairs(n) {
		for k := range upto(i & 3) {
			s += j - k
			if s > 1000000 {
				s -= 1000000
			}
		}
		last = i
	}
	return s*10 + last&7
}

// The index is out of range in some round, and what is captured is seen then.
func index(a []int, n int) (s int, err any) {
	rounds := 0
	defer func() {
		err = fmt.Sprint(recover(), " ", rounds, " ", s)
	}()
	for x := range upto(n) {
		rounds++
		s += a[x]
	}
	return
}

type node struct {
	next *node
	v    int
}

func chain(p *node, n int) (s int, ok bool) {
	rounds := 0
	defer func() {
		if recover() != nil {
			s = -rounds
		}
	}()
	for range upto(n) {
		rounds++
		s += p.v
		p = p.next
	}
	return s, true
}

// Frames that ask for more stack while a loop around them is begun.
func deep(n int) int {
	s := 0
	for x := range upto(3) {
		s += x
	}
	if n > 0 {
		s += deep(n-1) & 1023
	}
	for x, y := range pairs(4) {
		s += x + y
	}
	return s
}

// A block that is made in some rounds of the outer loop only.
func some(n int) int {
	t := 0
	for i := 0; i < n; i++ {
		s, c := 1, 0
		for x := range upto(5) {
			s = s*3 + x
			c++
			if s%7 == 3 && i%1000 == 7 {
				runtime.Gosched()
			}
		}
		t += s&255 + c
	}
	return t
}

func divided(n, by int) (q int) {
	defer func() {
		if e := recover(); e != nil {
			q = -q
		}
	}()
	for x := range upto(n) {
		q += 1000 / (by - x)
	}
	return q
}

func long(n int, done chan int) {
	s := 0
	for i, j := range pairs(n) {
		s = s*7 + i ^ j
		if s < 0 {
			s = -s
		}
	}
	done <- s
}

func main() {
	t := 0
	for i := 0; i < 3000; i++ {
		t += sum(i&15) + nested(i&31)
	}
	fmt.Println(t)
	a := []int{5, 6, 7, 8, 9}
	for i := 0; i < 300; i++ {
		s, err := index(a, 4+i%3)
		if i > 296 {
			fmt.Println(s, err)
		}
	}
	list := &node{v: 4}
	for i := 0; i < 6; i++ {
		list = &node{list, i}
	}
	for i := 0; i < 300; i++ {
		s, ok := chain(list, 6+i%4)
		if i > 295 {
			fmt.Println(s, ok)
		}
	}
	fmt.Println(deep(10), deep(5000))
	fmt.Println(some(20000))
	q := 0
	for i := 0; i < 2000; i++ {
		q = q*3&0xffff + divided(i%9, 5)
	}
	fmt.Println(q)
	done := make(chan int)
	for i := 0; i < 4; i++ {
		go long(2000000+i, done)
	}
	x := 0
	for i := 0; i < 4; i++ {
		if i < 2 {
			runtime.GC()
		}
		x ^= <-done
	}
	fmt.Println(x)
}
