// run
// concurrent: 15
// go-trace: 2
// SPDX-License-Identifier: MIT

// Functions with many slots that wait in small callees: the callee's frame
// lies in the middle of the caller's, and what the caller's frame reaches
// beyond it belongs to the stack too when the stack gets smaller meanwhile.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

const rounds = 3

type wide struct {
	a, b int64
	s    [32]uint64
	p    *int
}

func (w *wide) sum() int64 { return w.a - w.b }

func (w wide) ok(i int) bool {
	return w.a == int64(i) && w.s[31] == uint64(i) && *w.p == i
}

func make1(i int) wide {
	w := wide{a: int64(i), p: &i}
	w.s[31] = uint64(i)
	return w
}

func deep(n int) int {
	var pad [40]int
	if n == 0 {
		return 0
	}
	pad[n%40] = n
	return deep(n-1) + pad[n%40] - n + 1
}

// Ways to wait, each in a frame as small as can be.

func collect()                   { runtime.GC() }
func yield()                     { runtime.Gosched() }
func sleep()                     { time.Sleep(time.Microsecond) }
func take(c chan wide) wide      { return <-c }
func give(c chan wide, w wide)   { c <- w }
func lock(mu *sync.Mutex)        { mu.Lock() }
func fail(i int)                 { collect(); panic(i) }
func recovered(f func()) (v any) { defer func() { v = recover() }(); f(); return nil }

// Copies before and after the wait fill the frame up to its end.
func around(m []wide, wait func()) (n int) {
	wait()
	for i, r := range m {
		if !r.ok(i) {
			n++
		}
		wait()
		n += int(r.sum()) - i
	}
	x, y := m[1], m[2]
	wait()
	x, y = y, x
	wait()
	if !x.ok(2) || !y.ok(1) {
		n++
	}
	return n
}

// The wide frame's own calls run on a panic.
func deferring(m []wide) (n int) {
	defer func() {
		collect()
		x := m[3]
		collect()
		if recover() != 3 || !x.ok(3) {
			n++
		}
	}()
	x, y := m[1], m[2]
	collect()
	x, y = y, x
	if !x.ok(2) || !y.ok(1) {
		n++
	}
	fail(3)
	return 100
}

func work(m []wide, in, out chan wide, mu *sync.Mutex) (bad int) {
	for i := 0; i < rounds; i++ {
		deep(100)
		bad += around(m, collect)
		bad += around(m, yield)
		bad += around(m, sleep)
		bad += around(m, func() { lock(mu); mu.Unlock() })
		bad += deferring(m)
		bad += around(m, func() {
			if recovered(func() { fail(7) }) != 7 {
				bad++
			}
		})
		x := take(in)
		y := m[i%5]
		give(out, x)
		if !x.ok(int(x.a)) || !y.ok(i%5) {
			bad++
		}
	}
	return bad
}

func main() {
	m := make([]wide, 5)
	for i := range m {
		m[i] = make1(i)
	}
	fmt.Println("alone", around(m, collect), deferring(m))
	const n = 3
	var mu sync.Mutex
	var wg sync.WaitGroup
	in, out := make(chan wide), make(chan wide)
	bad := make([]int, n)
	for k := 0; k < n; k++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			bad[k] = work(m, in, out, &mu)
		}()
	}
	got := 0
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i := 0; i < rounds; i++ {
			for k := 0; k < n; k++ {
				give(in, make1(i))
				if w := take(out); w.ok(i) {
					got++
				}
			}
		}
	}()
	wg.Wait()
	fmt.Println("bad", bad, "got", got)
}
