// run

// What a function makes and returns may be memory of its caller's: where that
// is the heap all the same, and where two of them must not be one.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

type node struct {
	val  int
	next *node
	list []int
	name string
}

type shape interface{ area() int }

type square struct{ side *int }

func (s *square) area() int { return *s.side * *s.side }

func (n *node) sum() int {
	if n == nil {
		return 0
	}
	return n.val + n.next.sum()
}

func make1(v int) *node             { return &node{val: v, list: []int{v, v + 1}} }
func makeVar(v int) *node           { var n node; n.val = v; return &n }
func makeParam(n node) *node        { n.val++; return &n }
func makeNew(v int) *node           { n := new(node); n.val = v; return n }
func makeOver(n *node) *node        { return &node{val: 1, next: n} }
func makeTwo(v int) (*node, *node)  { return &node{val: v}, &node{val: -v} }
func makeNamed(v int) (n *node)     { n = &node{val: v}; return }
func makeNested(v int) *node        { return makeOver(make1(v)) }
func makeShape(side *int) shape     { return &square{side} }
func makeList(n int) []int          { return []int{n, n * n} }
func makeArray(n int) []int         { a := make([]int, 4); a[2] = n; return a }
func makeString(s string) *node     { return &node{name: s + "!"} }
func makeSelf(v int) *node          { var n node; n.val = v; n.next = &n; return &n }
func makeGlobal(v int) *node        { n := &node{val: v}; kept = n; return n }
func makeDeferred(v int) (n *node)  { defer recover(); n = &node{val: v}; return n }
func either(a, b *node) *node       { if a.val > b.val { return a }; return b }
func pair(p *int) (int, *int)       { return 1, p }
func hold(_ int, p *int)            { pointer = p }
func holdBoth(a, b *node)           { nodes = append(nodes, a, b) }

type queue struct {
	at   []int
	back []int
	node *node
}

func newQueue(n int) *queue { at := make([]int, n, 8); return &queue{at: at, back: at} }
func (q *queue) put(v int)  { q.at = q.at[:len(q.at)+1]; q.at[len(q.at)-1] = v }
func (q *queue) cut()       { q.at = q.at[1:] }
func (q *queue) again()     { q.at = q.back }
func (q *queue) leak()      { queues = append(queues, *q) }

func makeSized(n int) []byte { b := make([]byte, n, 20); b[0] = 'x'; return b }

// Of what is too long or too short the runtime tells as ever.
func sized(n int) (err any) {
	defer func() { err = recover() }()
	b := make([]byte, n, 6)
	for i := range b {
		b[i] += byte(i)
	}
	return string(b[:n])
}

func queuing() {
	q, r := newQueue(0), newQueue(1)
	for i := range 6 {
		q.put(i)
		if i%2 == 0 {
			r.put(i)
			q.cut()
		}
	}
	fmt.Println(q.at, r.at)
	r.leak()
	q.again()
	churn()
	fmt.Println(q.at, len(queues), queues[0].at)
	fmt.Println(sized(-1), sized(7), sized(0), string(makeSized(3)[:1]))
}

func makeLinked(v int) *node { return &node{val: v, next: &node{val: v + 1}} }

// What is in what was made outlives it.
func linked() {
	kept = makeLinked(3).next
	churn()
	p := makeLinked(6)
	for i := range 3 {
		q := makeLinked(10 * i)
		p, q = q.next, p
		churn()
	}
	fmt.Println(kept.val, p.val)
}

func makeSome(v int) *node {
	if v < 0 {
		return nil
	}
	if v > 10 {
		return &node{val: 10}
	}
	return &node{val: v}
}

// Each in a loop is another one.
func makeLast(v int) *node {
	var last *node
	for i := range v {
		last = &node{val: i, next: last}
	}
	return last
}

// What calls itself hands on what it got.
func search(n *node, v int) *node {
	if n == nil || n.val == v {
		return n
	}
	return search(n.next, v)
}

func grow(v int) *node {
	n := &node{val: v}
	if v > 0 {
		n.next = grow(v - 1)
	}
	return n
}

func deep(n int) int {
	var a [20]int
	for i := range a[:] {
		a[i] = i * n
	}
	if n > 0 {
		return deep(n-1) + a[n%20]%3
	}
	return 0
}

var (
	kept    *node
	pointer *int
	nodes   []*node
	queues  []queue
)

// churn uses the memory of frames for something else.
func churn() int {
	runtime.GC()
	n := &node{val: 77, list: []int{7, 8, 9}}
	return deep(40) + n.sum() + n.list[1]
}

func inLoops() {
	var first, last *node
	for i := range 5 {
		n := make1(i)
		if first == nil {
			first = n
		}
		last = n
		churn()
	}
	fmt.Println(first.val, first.list, last.val, last.list)
	var head *node
	for i := range 5 {
		head = makeOver(head)
		head.val += i
	}
	fmt.Println(head.sum())
	p := makeNamed(3)
	for i := 0; i < 4; i++ {
		q := makeNamed(i)
		p, q = q, p
		fmt.Print(p.val, q.val, " ")
	}
	fmt.Println(p.val)
	t := 0
	for n := make1(0); n.val < 3; n = make1(n.val + 1) {
		t += n.val + n.list[1]
	}
	fmt.Println(t)
}

func kinds() {
	v := 4
	a, b := makeTwo(3)
	s := makeShape(&v)
	v = 6
	fmt.Println(makeVar(2).val, makeParam(node{val: 4}).val, makeNew(5).val)
	fmt.Println(a.val, b.val, makeNested(8).sum(), s.area(), makeList(5))
	fmt.Println(makeArray(3), makeString("x").name, makeSelf(2).next.next.val)
	fmt.Println(makeSome(-1) == nil, makeSome(4).val, makeSome(40).val)
	fmt.Println(makeLast(4).sum(), grow(4).sum(), makeDeferred(2).val)
	fmt.Println(either(make1(3), make1(4)).val, search(grow(5), 2).sum())
}

func escaping() *node {
	a, b := makeTwo(9)
	holdBoth(a, make1(5))
	g := makeGlobal(4)
	g.val++
	ch := make(chan *node, 1)
	ch <- makeNew(6)
	go func(n *node) { n.val *= 2; ch <- n }(<-ch)
	c := <-ch
	defer holdBoth(makeNamed(11), makeOver(c))
	m := map[string]*node{"m": makeVar(12)}
	f := func() *node { return makeNested(13) }
	var e any = makeShape(&m["m"].val)
	nodes = append(nodes, f())
	x := 5
	hold(pair(&x))
	x++
	churn()
	return &node{val: e.(shape).area(), next: b}
}

func panicking() (n *node) {
	defer func() {
		recover()
		churn()
		n.val += 1
	}()
	n = makeNamed(20)
	var none *node
	n.val += makeOver(none).next.val
	return nil
}

var sink int

func allocations() {
	check := func(what string, f func()) {
		if n := testing.AllocsPerRun(50, f); n != 0 {
			fmt.Println(what, n)
		}
	}
	v, n := 3, node{val: 4}
	check("literal", func() { sink += make1(3).list[1] })
	check("variable", func() { sink += makeVar(3).val })
	check("parameter", func() { sink += makeParam(n).val })
	check("new", func() { sink += makeNew(3).val })
	check("nested", func() { sink += makeNested(3).sum() })
	check("two", func() { a, b := makeTwo(3); sink += a.val + b.val })
	check("named", func() { sink += makeNamed(3).val })
	check("interface", func() { s := makeShape(&v).(*square); sink += s.area() })
	check("list", func() { sink += makeList(3)[1] })
	check("array", func() { sink += makeArray(3)[2] })
	check("some", func() { sink += makeSome(4).val })
	check("loop", func() { for i := range 9 { sink += makeNew(i).val } })
	check("search", func() { sink += search(&n, 4).val })
	check("queue", func() { q := newQueue(v); q.put(2); q.cut(); q.again(); sink += len(q.at) })
	check("sized", func() { sink += len(makeSized(v)) })
	check("reader", func() { sink += strings.NewReader("abc").Len() })
}

func main() {
	inLoops()
	kinds()
	queuing()
	linked()
	fmt.Println(churn() > 0, kept.val)
	n := escaping()
	fmt.Println(churn() > 0, n.val, n.next.val, kept.val, *pointer)
	for _, n := range nodes {
		fmt.Print(n.sum(), " ")
	}
	fmt.Println(len(nodes))
	fmt.Println(panicking().val)
	allocations()
}
