// run

// Short loops, of which machine code may do several rounds one behind the other:
// each ends where it ends, whatever round that is, and gives way to others.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

type node struct {
	v    int
	next *node
}

func list(n int) (l *node) {
	for i := n; i > 0; i-- {
		l = &node{i, l}
	}
	return
}

//go:noinline
func walk(l *node) (n, sum int) {
	for p := l; p != nil; p = p.next {
		sum += p.v
		n++
	}
	return
}

func (l *node) all(yield func(int) bool) {
	for p := l; p != nil; p = p.next {
		if !yield(p.v) {
			return
		}
	}
}

//go:noinline
func ranged(l *node, stop int) (sum int) {
	for x := range l.all {
		if x == stop {
			break
		}
		sum += x
	}
	return
}

//go:noinline
func sumAll(l *node) (sum int) {
	for x := range l.all {
		sum += x
	}
	return
}

// The index is out of range in any round.
//
//go:noinline
func over(a []int, n int) (at, sum int, err any) {
	defer func() { err = recover() }()
	for at = 0; at < n; at++ {
		sum += a[at]
	}
	return
}

//go:noinline
func overPtr(a *[9]int, n int) (sum int, err any) {
	i := 0
	defer func() {
		err = recover()
		sum += 1000 * i
	}()
	for ; i < n; i++ {
		sum += a[i]
	}
	return
}

//go:noinline
func find(a []int, x int) int {
	for i, y := range a {
		if y == x {
			return i
		}
	}
	return -1
}

// Two jumps back.
//
//go:noinline
func twice(n, m int) (a, b int) {
	i := 0
	for i < n {
		i++
		a++
		if i%m != 0 {
			continue
		}
		b += i
	}
	return
}

//go:noinline
func branches(n int) (a, b int) {
	for i := 0; i < n; i++ {
		if i&3 == 1 {
			a += i
		} else {
			b -= i
		}
	}
	return
}

//go:noinline
func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

//go:noinline
func shift(a []int, x int) (n int) {
	j := len(a) - 1
	for j > 0 && a[j-1] > x {
		a[j] = a[j-1]
		j--
		n++
	}
	a[j] = x
	return
}

//go:noinline
func floats(a []float64, lim float64) (s float64, n int) {
	for s < lim && n < len(a) {
		s += a[n]
		n++
	}
	return
}

//go:noinline
func bytes(s string) (h uint32) {
	for i := 0; i < len(s); i++ {
		h = h*31 + uint32(s[i])
	}
	return
}

func less(a, b int) bool { return a < b }

//go:noinline
func told(n int) (c int) {
	for i := 0; less(i, n); i++ {
		c += 2
	}
	return
}

//go:noinline
func swap(n int) (a, b, c int) {
	a, b, c = 1, 2, 3
	for i := 0; i < n; i++ {
		a, b, c = b, c, a
	}
	return
}

// A slot that something else is in by rounds, on both sides of the end.
//
//go:noinline
func fib(n int) (a, b int) {
	b = 1
	for ; n > 0; n-- {
		a, b = b, a+b
	}
	return
}

//go:noinline
func nested(n int) (c int) {
	for i := 0; i < n; i++ {
		for j := 0; j < i; j++ {
			c += j
		}
	}
	return
}

//go:noinline
func pair(n int) (s string) {
	x := []byte{}
	for i := 0; i < n; i++ {
		x = append(x, byte('a'+i))
	}
	return string(x)
}

var stop atomic.Bool
var word int32

//go:noinline
func spin() (n uint64) {
	for !stop.Load() {
		n++
	}
	return
}

//go:noinline
func ring(l *node, at *int32) {
	for p := l; p.v != 0 || atomic.LoadInt32(at) == 0; p = p.next {
	}
}

//go:noinline
func forever(l *node) {
	for p := l; p != nil; p = p.next {
	}
}

//go:noinline
func count() {
	for i := 0; ; i++ {
	}
}

func main() {
	for r := 0; r < 200; r++ {
		for n := 0; n < 13; n++ {
			show := r == 199
			l := list(n)
			a := make([]int, n)
			f := make([]float64, n)
			for i := range a {
				a[i] = i * i
				f[i] = float64(i)
			}
			c, s := walk(l)
			res := fmt.Sprint(n, c, s, sumAll(l), ranged(l, 5), ranged(l, 1))
			at, sum, err := over(a, 7)
			res += fmt.Sprint(" ", at, sum, err)
			sum, err = overPtr(&[9]int{1, 2, 3, 4, 5, 6, 7, 8, 9}, n)
			res += fmt.Sprint(" ", sum, err, find(a, 16), find(a, -1))
			x, y := twice(n, 3)
			res += fmt.Sprint(" ", x, y)
			x, y = branches(n)
			res += fmt.Sprint(" ", x, y, gcd(n+1, 12), gcd(55, n))
			if n > 0 {
				res += fmt.Sprint(" ", shift(a, 9), a)
			}
			t, m := floats(f, 12)
			res += fmt.Sprint(" ", t, m, bytes("hello, world"[:n]), told(n))
			u, v, w := swap(n)
			res += fmt.Sprint(" ", u, v, w)
			x, y = fib(n)
			res += fmt.Sprint(" ", x, y, nested(n), pair(n))
			if show {
				fmt.Println(res)
			}
		}
	}
	// They give way to others, for ever.
	runtime.GOMAXPROCS(1)
	o := list(7)
	last := o
	for last.next != nil {
		last = last.next
	}
	last.next = o
	last.v = 0
	go forever(o)
	go count()
	done := make(chan bool)
	go func() { fmt.Println(spin() > 0); done <- true }()
	go func() { ring(o, &word); fmt.Println("ring"); done <- true }()
	runtime.Gosched()
	runtime.GC()
	atomic.StoreInt32(&word, 1)
	<-done
	stop.Store(true)
	<-done
	fmt.Println("end")
}
