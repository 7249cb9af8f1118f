// panic
// env: GODEBUG=invalidptr=0

// Nil pointers, and addresses below 4096, that loops and straight code access
// memory by: each panics at its own line, with all that was assigned before.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

type pair struct{ a, b int }

type node struct {
	v    int
	next *node
	b    byte
	f    float64
	s    string
	l    []int
	e    any
	w    [4]int
	p    pair
}

func small(n uintptr) *node { return *(**node)(unsafe.Pointer(&n)) }

// The line of the function main.name that is on the stack.
func line(name string) int {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "main."+name) {
			return f.Line
		}
		if !more {
			return 0
		}
	}
}

func list(n int, last *node) *node {
	l := last
	for i := 0; i < n; i++ {
		l = &node{v: i, next: l, s: "x", l: []int{i}, e: i}
	}
	return l
}

//go:noinline
func walk(l *node) (sum, n int, err any) {
	defer func() {
		if err = recover(); err != nil {
			n += 1000 * line("walk")
		}
	}()
	for p := l; p != nil; p = p.next {
		n++
		sum += p.v
	}
	return
}

// The rounds are counted in a variable that a closure has, too.
//
//go:noinline
func walkCaptured(l *node) (res string) {
	n, sum, last := 0, 0, l
	add := func(x int) { sum += x; n++ }
	defer func() {
		if e := recover(); e != nil {
			res = fmt.Sprint(n, sum, last == l, line("walkCaptured"), e)
		}
	}()
	for p := l; p != nil; p = p.next {
		last = p
		add(1)
		sum += p.v
	}
	return fmt.Sprint(n, sum, last.v)
}

// The pointer itself is captured.
//
//go:noinline
func walkPointer(l *node) (res string) {
	p := l
	n := 0
	defer func() {
		e := recover()
		res = fmt.Sprint(n, p == nil, uintptr(unsafe.Pointer(p)) < 4096, e)
	}()
	step := func() { p = p.next }
	for p != nil {
		n++
		step()
	}
	return ""
}

// Without a comparison: the end is a nil pointer.
//
//go:noinline
func walkOver(l *node) (sum int, at int) {
	defer func() {
		if recover() != nil {
			at = line("walkOver")
		}
	}()
	for p := l; ; p = p.next {
		sum += p.v
	}
}

// Both arms of a comparison, and what is behind it.
//
//go:noinline
func arms(l *node, nil_ bool) (sum int, res any) {
	defer func() {
		if e := recover(); e != nil {
			res = fmt.Sprint(line("arms"), e)
		}
	}()
	for p := l; ; {
		if p == nil {
			if nil_ {
				sum += p.v
			}
			break
		} else {
			sum += p.v
			p = p.next
		}
		if p != nil {
			sum += p.v
		}
		sum++
	}
	return sum, "end"
}

func (n *node) each(yield func(*node) bool) {
	for p := n; p != nil; p = p.next {
		if !yield(p) {
			return
		}
	}
}

//go:noinline
func ranged(l *node) (sum int, e any) {
	defer func() { e = recover() }()
	for p := range l.each {
		sum += p.v
		if p.b != 0 {
			break
		}
	}
	return
}

var kept [64]*node

// Each kind of access; what is assigned before must be there.
//
//go:noinline
func access(how int, p, q *node) (n int, at int, res any) {
	defer func() {
		if e := recover(); e != nil {
			res, at = e, line("access")
		}
	}()
	for i := 0; i < 3; i++ {
		n = 10*how + i
		switch how {
		case 0:
			res = p.b
		case 1:
			res = p.f
		case 2:
			res = p.s
		case 3:
			res = len(p.l)
		case 4:
			res = p.e
		case 5:
			res = p.w
		case 6:
			res = p.p
		case 7:
			p.v = i
		case 8:
			p.b++
		case 9:
			p.f += 1.5
		case 10:
			p.s = "text"
		case 11:
			p.l = append(p.l, i)
		case 12:
			p.l = []int{i, i}
		case 13:
			p.e = i
		case 14:
			p.w = [4]int{1, 2, 3, i}
		case 15:
			p.p = pair{i, i}
		case 16:
			p.next = q
		case 17:
			_ = *p
		case 18:
			res = &p.p != nil
		case 19:
			q, p = p, p.next
			res = q == nil
		case 20:
			p.p.b += i
		case 21:
			res = p.next == q
		case 22:
			res = p.l
		case 23:
			p.v, q.v = q.v+1, p.v
		}
	}
	return
}

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

// Entered while it is in the interpreter, at the header.
func long(last *node) {
	l := list(30000, last)
	n, sum := 0, 0
	defer func() { fmt.Println("long", n, sum, recover(), line("long")) }()
	for i := 0; i < 3; i++ {
		for p := l; p != nil; p = p.next {
			n++
			sum += p.v
			if n == 59000 {
				runtime.GC()
			}
		}
	}
}

func main() {
	for _, last := range []*node{nil, small(1), small(8), small(1024), small(2048)} {
		for n := 0; n < 4; n++ {
			l := list(n, last)
			sum, cnt, e := walk(l)
			fmt.Println("walk", n, sum, cnt, e)
			if n > 0 || last != nil {
				fmt.Println(walkCaptured(l))
			}
			fmt.Println("pointer", walkPointer(l))
			fmt.Println(walkOver(l))
			fmt.Println(arms(l, false))
			fmt.Println(arms(l, true))
			fmt.Println(ranged(l))
		}
		long(last)
	}
	for how := 0; how < 24; how++ {
		for _, p := range []*node{nil, small(1), small(512), small(2047)} {
			fmt.Println(access(how, p, &node{v: 7}))
		}
		good := &node{v: 3, next: list(4, nil), s: "s", l: []int{1}, e: "e"}
		n, at, _ := access(how, good, &node{v: 7})
		fmt.Println(n, at, good.v, good.b, good.f, good.s, good.l, good.e, good.w, good.p)
	}
	// Hot, with the collector at work, which asks for barriers.
	done := make(chan bool)
	go func() {
		for i := 0; i < 20; i++ {
			runtime.GC()
		}
		close(done)
	}()
	faults := 0
	for i, go_on := 0, true; go_on || i < 3000; i++ {
		select {
		case <-done:
			go_on = false
		default:
		}
		var p *node
		if i%7 != 0 {
			p = &node{}
		}
		_, at, _ := access(10+i%7, p, &node{v: i})
		if (at != 0) != (p == nil) {
			panic("wrong")
		}
		if at != 0 && i < 3000 {
			faults++
		}
		kept[i%64] = p
	}
	fmt.Println("faults", faults)
	try(func() { var p *node; p.v++ })
	fmt.Println(walk(list(5, nil)))
	for p := list(2, small(8)); p != nil; p = p.next {
		fmt.Println("last", p.v)
	}
}
