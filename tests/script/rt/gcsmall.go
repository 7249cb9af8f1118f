// run
// env: GOGC=5
// SPDX-License-Identifier: MIT

// The allocations of gcalloc.go, with very many collections.
package main

import (
	"fmt"
	"runtime"
	"strings"
)

type pair struct{ a, b *pair }
type mixed struct {
	n    int
	p    *int
	s    string
	i    interface{}
	m    map[int]*int
	sl   []*mixed
	f    func() int
	c    chan *int
	arr  [3]*int
	tail [5]byte
}

func newMixed(n int) *mixed {
	x := n
	y := n * 2
	m := &mixed{n: n, p: &x, s: fmt.Sprint("s", n), i: &y, m: map[int]*int{n: &x}, f: func() int { return x + y }, c: make(chan *int, 1)}
	m.c <- &y
	m.arr[n%3] = &x
	return m
}

func (m *mixed) ok() bool {
	v := <-m.c
	m.c <- v
	return *m.p == m.n && m.s == fmt.Sprint("s", m.n) && *m.i.(*int) == 2*m.n && *m.m[m.n] == m.n && m.f() == 3*m.n && *v == 2*m.n && *m.arr[m.n%3] == m.n
}

func main() {
	sizes := []int{0, 1, 8, 16, 17, 100, 1024, 4096, 32768, 32769, 100000, 1 << 20}
	keep := map[int][]byte{}
	for round := 0; round < 3; round++ {
		for _, n := range sizes {
			b := make([]byte, n)
			for i := range b {
				if b[i] != 0 {
					panic("memory not zeroed")
				}
				b[i] = byte(n + i)
			}
			keep[n] = b
		}
		runtime.GC()
	}
	for n, b := range keep {
		for i := range b {
			if b[i] != byte(n+i) {
				panic("memory damaged")
			}
		}
	}
	var live []*mixed
	for i := 0; i < 5000; i++ {
		m := newMixed(i)
		if i%10 == 0 {
			live = append(live, m)
		}
		if len(live) > 1 {
			live[len(live)-1].sl = append(live[len(live)-1].sl, live[0])
		}
	}
	bad := 0
	for _, m := range live {
		if !m.ok() {
			bad++
		}
	}
	fmt.Println(len(live), bad)

	// Cycles are collected; long lists are marked without deep recursion.
	var head *pair
	for i := 0; i < 300000; i++ {
		head = &pair{a: head}
	}
	for p := head; p != nil; p = p.a {
		p.b = head
	}
	runtime.GC()
	n := 0
	for p := head; p != nil; p = p.a {
		n++
	}
	fmt.Println(n)
	head = nil

	// Interior pointers keep the whole object.
	type block struct{ data [1000]int }
	var inner []*int
	for i := 0; i < 100; i++ {
		b := &block{}
		b.data[0], b.data[999] = i, i*i
		inner = append(inner, &b.data[500])
		b.data[500] = -i
	}
	sub := strings.Repeat("0123456789", 10000)[5000:5010]
	tail := make([]int, 10000)[9990:]
	tail[3] = 7
	runtime.GC()
	runtime.GC()
	sum := 0
	for _, p := range inner {
		sum += *p
	}
	fmt.Println(sum, sub, tail[3])

	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := 0; i < 200000; i++ {
		_ = fmt.Sprint(i)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	fmt.Println(after.NumGC > before.NumGC, after.Mallocs-before.Mallocs >= 200000, after.HeapAlloc < before.HeapAlloc+(8<<20), after.TotalAlloc > before.TotalAlloc)
	s := ""
	for i := 0; i < 3000; i++ {
		s += string(rune('a' + i%26))
	}
	fmt.Println(len(s), s[2990:])
	m := map[string][]string{}
	for i := 0; i < 20000; i++ {
		k := fmt.Sprint(i % 100)
		m[k] = append(m[k], fmt.Sprint(i))
		if i%1000 == 999 {
			delete(m, fmt.Sprint(i/1000))
		}
	}
	c := 0
	for _, v := range m {
		c += len(v)
	}
	fmt.Println(len(m), c)
}
