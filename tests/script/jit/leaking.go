// run

// Functions that call what they are given: what they share with it is in registers
// as long as the callee is the one that it has been most often.  Another one may
// keep what it gets, and have it called by others later.
package main

import (
	"fmt"
	"iter"
	"runtime"
)

var kept func(int)
var keptSeq []func(int) bool

func poke(n int) int {
	if kept != nil {
		kept(n)
		return 1
	}
	return 0
}

func plain(f func(int)) {
	for i := range 5 {
		f(i)
	}
}

func keeper(f func(int)) {
	f(1)
	kept = f
}

// Others change s while it is stored and loaded here.
func around(n int, f func(func(int))) (s, pokes int) {
	s = n
	add := func(v int) { s += v }
	f(add)
	for i := range n {
		s += i
		if i%7 == 3 {
			pokes += poke(1000)
		}
		s ^= 1
	}
	return s, pokes
}

// They do so in a later round, and are given up in another one.
func rounds(n int, f, g func(func(int))) (sum int) {
	s := 0
	add := func(v int) { s += v }
	for i := range n {
		if i == n/2 {
			g(add)
		} else {
			f(add)
		}
		s = s*3 + i
		poke(i)
		sum += s
		if i == n-2 {
			kept = nil
		}
	}
	return sum
}

// Each round has its own, and a kept one is another's.
func fresh(n int, f, g func(func(int))) (sum int) {
	for i := range n {
		s := i
		add := func(v int) { s += v }
		if i%8 == 5 {
			g(add)
		} else {
			f(add)
		}
		s *= 2
		poke(1 << 20)
		sum += s
	}
	return sum
}

// What is returned is in memory, though nobody has looked before.
func made(n int, f func(func(int))) func() int {
	v := 0
	add := func(i int) { v += i }
	get := func() int { return v }
	if n > 50 {
		f(add)
	}
	for i := range n {
		v += i
	}
	return get
}

func madeAlone(n int) func() int {
	v := 0
	add := func(i int) { v += i }
	get := func() int { return v }
	for i := range n {
		add(i)
	}
	if n == 7 {
		return nil
	}
	return get
}

func madeOne(n int) func() int {
	v := 0
	get := func() int { v++; return v }
	for i := 0; i < n; i++ {
		get()
	}
	return get
}

var three = [3]*int{new(int), new(int), new(int)}

// Where i was made, there may be something else.
func scoped(n int) (s int) {
	var get func() int
	for j := range n {
		{
			i := j
			get = func() int { i++; return i }
		}
		if j&1 == 0 {
			p, q := three[j%3], three[(j+1)%3]
			s += *p ^ *q
		}
		s += get()
		if j&2 == 0 {
			s += get()
		}
	}
	return s
}

// Only the closure has the address of i when the loop has begun.
func take(n int, seq iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		i := 0
		for v := range seq {
			i++
			if !yield(v) || i >= n {
				return
			}
		}
	}
}

func some(n int, seq iter.Seq[int]) (s int) {
	for v := range take(n, seq) {
		s = s*3 + v
		if v == 33 {
			runtime.GC()
		}
	}
	return s
}

// Pointers, which the collector must find.
func pointers(n int, f func(func(int))) (s int) {
	p := new(int)
	set := func(v int) { q := v; p = &q }
	f(set)
	for i := range n {
		s += *p
		set(i)
		if i%9 == 4 {
			poke(77 + i)
			runtime.GC()
		}
		s += *p
	}
	return s
}

// A goroutine that changes it, in turn.
var ask, answer = make(chan int), make(chan int)

func server(f func(int)) {
	go func() {
		for v := range ask {
			f(v)
			answer <- v
		}
	}()
}

func shared(n int, f func(func(int))) (s int) {
	add := func(v int) { s += v }
	f(add)
	for i := range n {
		s += i
		if n == 40 && i%10 == 9 {
			ask <- 5000
			<-answer
		}
		s ^= 3
	}
	return s
}

// By a pointer it is not known which of two is stored, or loaded.
func either(n int) (s int) {
	for i := range n {
		a, b := i, -i
		add := func(v int) { a += v; b -= v }
		add(3)
		a, b = 2*a, 2*b
		p := &a
		if i%3 == 0 {
			p = &b
		}
		s += *p
		*p = 7
		s += a*i + b
	}
	return s
}

func oneOf(n int) (s int) {
	for i := range n {
		a, b := i, -i
		add := func(v int) { a += v; b -= v }
		add(3)
		a, b = 2*a, 3*b
		if i > 5 {
			s += a - b + a*b
		}
		p := &a
		if i%3 == 0 {
			p = &b
		}
		s += *p
	}
	return s
}

// Of two closures each has its own variable.
func eitherCalled(n int) (s int) {
	for i := range n {
		a, b := i, -i
		add := func(v int) { a += v }
		sub := func(v int) { b -= v }
		add(3)
		sub(4)
		a, b = 2*a, 3*b
		f := add
		if i%3 == 0 {
			f = sub
		}
		f(i)
		s += a ^ b
	}
	return s
}

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

func keeping(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		keptSeq = append(keptSeq, yield)
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

func failing(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		keptSeq = append(keptSeq, yield)
		for i := 0; i < n; i++ {
			yield(i)
		}
	}
}

//go:noinline
func total(seq iter.Seq[int], stop int) (s int) {
	last := -1
	for v := range seq {
		if v == stop {
			break
		}
		s += v
		last = v
	}
	return s*100 + last
}

//go:noinline
func nested(a, b iter.Seq[int]) (s int) {
outer:
	for v := range a {
		for w := range b {
			if w > v {
				continue outer
			}
			if v*w > 200 {
				return s
			}
			s += v * w
		}
		s++
	}
	return s
}

func try(what string, f func()) {
	defer func() {
		if err := recover(); err != nil {
			fmt.Println(what, err)
		}
	}()
	f()
}

func main() {
	s := 0
	for i := range 3000 {
		a, _ := around(i%50, plain)
		s += a + rounds(i%10+3, plain, plain) + fresh(i%9, plain, plain)
		s += made(i%100, plain)() + some(i%30, count(40))
		if get := madeAlone(i % 50); get != nil {
			s += get()
		}
		s += shared(i%40, plain) + madeOne(i%50)() + scoped(i%10)
		s += either(i%20) + oneOf(i%20) + eitherCalled(i%20)
		s += total(count(i%30), 40) + nested(count(i%20), count(20))
	}
	for i := range 200 {
		s += pointers(i%20, plain)
	}
	fmt.Println(s)
	for i := range 5 {
		fmt.Println(around(20+i, keeper))
		kept = nil
		fmt.Println(rounds(9+i, plain, keeper), rounds(9+i, keeper, plain))
		kept = nil
		fmt.Println(fresh(20+i, plain, keeper))
		kept = nil
		fmt.Println(some(4+i, keeping(20)), some(35+i, keeping(50)))
		get := made(60+i, keeper)
		poke(12345)
		fmt.Println(get())
		kept = nil
		fmt.Println(pointers(20+i, keeper))
		kept = nil
		fmt.Println(around(20+i, plain))
		fmt.Println(shared(40, server))
		close(ask)
		ask = make(chan int)
	}
	for i := range 4 {
		fmt.Println(total(keeping(20+i), 15), nested(keeping(20), count(20)),
			nested(count(20), keeping(20)))
		try("broken", func() { total(failing(20), 10+i) })
		try("inner", func() { nested(count(10), failing(10)) })
		for k, f := range keptSeq {
			if k%7 == i {
				try("late", func() { f(1) })
			}
		}
		fmt.Println(len(keptSeq), total(count(20), 40))
		keptSeq = nil
	}
}
