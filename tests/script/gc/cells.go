// run

// Memory that stays with a function: what may be reused, and what may not.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
)

type node struct {
	next *node
	val  int
	name string
}

func (n *node) add(k int) { n.val += k }
func (n *node) self() *node { return n }
func (n *node) link(m *node) { n.next = m }
func (n node) sum() int {
	if n.next != nil {
		return n.val + n.next.sum()
	}
	return n.val
}

// A view has the address of a part of itself, until it is copied.
type view struct {
	at  []int
	all [4]int
}

var global *node
var held *int
var hooks []func() int

func inc(p *int)                { *p++ }
func pick(a, b *int) *int       { if *a > *b { return a }; return b }
func keep(p *int) func() int    { return func() int { *p++; return *p } }
func store(n *node)             { global = n }
func second(p **int) *int       { return *p }
func each(n int, f func(int))   { for i := 0; i < n; i++ { f(i) } }
func register(f func() int)     { hooks = append(hooks, f) }
func named(p *int) (r *int)     { r = p; return }
func inner(k int) view          { var v view; v.at = v.all[:2]; v.all[1] = k; return v }
func through(n *node) *node     { m := n; for i := 0; i < 3; i++ { m = m.self() }; return m }
func two(a, b *int) (*int, int) { return b, *a }
func pair(p *int) (int, *int)   { return 1, p }
func hold(_ int, p *int)        { held = p }

// churn makes garbage, and frames with other contents.
func churn(n int) int {
	var buf [64]int
	s := make([]*node, 0, 8)
	for i := range buf {
		buf[i] = -i
		if i%8 == 0 {
			s = append(s, &node{val: -i, name: strings.Repeat("x", 3)})
		}
	}
	if n > 0 {
		return churn(n-1) + buf[n%64] + len(s)
	}
	runtime.GC()
	return buf[5]
}

func loops() {
	var ps []*int
	var fs []func() int
	for i := 0; i < 3; i++ {
		x := i * 10
		ps = append(ps, &x)
		fs = append(fs, func() int { x++; return x + i })
		y := i
		inc(&y)
		inc(&y)
		fmt.Print(y, " ")
	}
	churn(3)
	for i := range ps {
		fmt.Print(*ps[i], " ", fs[i](), " ", *ps[i], " ")
	}
	fmt.Println()
	var last *node
	for i := 0; i < 4; i++ {
		last = &node{next: last, val: i}
	}
	fmt.Println(last.sum(), last.val)
	sum := 0
	for i := 0; i < 4; i++ {
		n := &node{val: i}
		n.add(1)
		m := &node{val: 100, next: n}
		sum += m.sum()
	}
	fmt.Println(sum)
	var p *int
	for i := 0; i < 3; i++ {
		x := i
		if p != nil {
			fmt.Print(*p, " ")
		}
		p = &x
	}
	fmt.Println(*p)
	for p, i := new(int), 0; i < 3; i++ {
		x := i + 5
		fmt.Print(*p, " ")
		p = &x
	}
	fmt.Println()
	for i := 0; i < 3; i++ {
		f := func() { i++ }
		f()
		fmt.Print(i, " ")
	}
	fmt.Println()
}

func returned() {
	a, b := 3, 4
	q := pick(&a, &b)
	*q = 9
	fmt.Println(a, b, *named(&a))
	f := keep(&a)
	churn(2)
	fmt.Println(f(), f(), a)
	r := &a
	s := second(&r)
	*s = 77
	u, v := two(&a, &b)
	*u = 1
	fmt.Println(a, b, v)
	n := &node{val: 1}
	through(n).add(5)
	fmt.Println(n.val)
	w := inner(6)
	churn(2)
	w.all[1]++
	fmt.Println(w.at, inner(8).at, w.all)
}

func tuples() {
	x := 5
	hold(pair(&x))
	x++
}

// The key of an operation that assigns is kept.
func keys() map[*node]int {
	m := map[*node]int{}
	m[&node{val: 3}]++
	m[&node{val: 4}] += 2
	return m
}

// What bytes.Fields makes has pointers into what it was given.
func word() []byte {
	var a [8]byte
	copy(a[:], "ab cd ef")
	return bytes.Fields(a[:])[1]
}

func overwrite(n int) int {
	var a [20]int
	for i := range a[:] {
		a[i] = n
	}
	return a[n]
}

func escaping() *node {
	n := node{val: 1}
	m := &node{val: 2}
	m.link(&n)
	store(m)
	return &node{next: m, val: 3}
}

func closures() {
	total := 0
	each(4, func(i int) {
		each(i, func(j int) { total += i * j })
	})
	fmt.Println(total)
	count := 0
	register(func() int { count++; return count })
	fib := func(int) int { return 0 }
	fib = func(n int) int {
		if n < 2 {
			return n
		}
		return fib(n-1) + fib(n-2)
	}
	fmt.Println(fib(15))
	churn(2)
	fmt.Println(hooks[0](), hooks[0](), count)
	func() {
		x := 5
		defer func() { fmt.Println("deferred", x) }()
		x = 6
	}()
	adders := map[string]func(int) int{}
	for _, k := range []int{1, 2} {
		adders[fmt.Sprint(k)] = func(n int) int { k += n; return k }
	}
	fmt.Println(adders["1"](10), adders["2"](10), adders["1"](1))
}

func seq(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

var kept func(int) bool

func leaky(yield func(int) bool) {
	kept = yield
	yield(1)
}

func find(n int) (at int, err error) {
	for i := range seq(10) {
		for j := range seq(10) {
			if i*j == n {
				return i*100 + j, nil
			}
			if j > i {
				break
			}
		}
	}
	return 0, errors.New("none")
}

func ranges() {
	var fs []func() int
	t := 0
	for i := range seq(4) {
		t += i
		x := i
		fs = append(fs, func() int { x += 10; return x })
	}
	churn(1)
	fmt.Println(t, fs[0](), fs[3](), fs[3]())
	fmt.Println(find(12))
	fmt.Println(find(97))
	var ptr *int
	for i := range seq(3) {
		y := i * 2
		if i == 1 {
			ptr = &y
		}
	}
	churn(1)
	fmt.Println(*ptr)
	for i := range leaky {
		t += i
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		kept(3)
	}()
}

func panics() {
	deep := func(n int) {
		var f func(int)
		f = func(n int) {
			x := node{val: n}
			inc(&x.val)
			if n == 0 {
				panic(fmt.Sprint("at ", x.val))
			}
			f(n - 1)
			n++
		}
		f(n)
	}
	safe := func(n int) (s string) {
		local := node{val: n}
		defer func() {
			local.add(1)
			s = fmt.Sprint(recover(), " ", local.val)
		}()
		deep(n)
		return "not"
	}
	for i := 0; i < 3; i++ {
		fmt.Println(safe(i * 40))
	}
	before := 0
	for i := 0; i < 20000; i++ {
		before += len(safe(3))
	}
	fmt.Println(before)
}

func goroutines() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for g := 0; g < 8; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sum := 0
			for i := 0; i < 200; i++ {
				n := node{val: i, name: strings.Repeat("n", i%5)}
				n.next = &node{val: len(n.name)}
				each(3, func(j int) { sum += n.sum() * j })
				if i%50 == 0 {
					runtime.Gosched()
				}
			}
			mu.Lock()
			total += sum
			mu.Unlock()
		}()
	}
	wg.Wait()
	ch := make(chan *int)
	go func() { v := 41; ch <- &v }()
	p := <-ch
	inc(p)
	fmt.Println(total, *p)
}

func arrays() {
	var a [10]byte
	for i := range a {
		a[i] = byte(i * i)
	}
	s := a[2:5]
	s = append(s, 200)
	fmt.Println(a, s, len(s), cap(s))
	t := make([]int, 3, 5)
	t = append(t, 1, 2)
	t = append(t, 3)
	t[0] = 9
	fmt.Println(t, slices.Max(t))
	words := []string{"pear", "fig", "apple"}
	sort.Slice(words, func(i, j int) bool { return words[i] < words[j] })
	fmt.Println(words, fmt.Sprint(words))
	grid := [3][3]int{}
	for i := range grid {
		row := &grid[i]
		for j := range row {
			row[j] = i * j
		}
	}
	fmt.Println(grid)
	var matrix [][]int
	for i := 0; i < 3; i++ {
		matrix = append(matrix, []int{i, i + 1})
	}
	fmt.Println(matrix)
}

type shape interface{ area() int }
type square struct{ s int }

func (s *square) area() int { s.s++; return s.s * s.s }

func interfaces() {
	q := &square{3}
	var s shape = q
	fmt.Println(s.area(), q.s)
	list := []shape{&square{1}, &square{2}}
	for _, x := range list {
		switch v := x.(type) {
		case *square:
			v.s *= 2
		}
	}
	fmt.Println(list[0].area(), list[1].area())
	var e any = &node{val: 8}
	e.(*node).add(2)
	fmt.Println(e.(*node).val)
}

var sink int

func allocations() {
	check := func(what string, f func()) {
		if n := testing.AllocsPerRun(50, f); n != 0 {
			fmt.Println(what, n)
		}
	}
	words := []string{"b", "a", "c"}
	check("address", func() { x := 1; inc(&x); sink += x })
	check("literal", func() { n := &node{val: 1}; n.add(2); sink += n.sum() })
	check("method", func() { n := node{val: 1}; n.add(2); sink += n.val })
	check("new", func() { p := new(int); *p = 3; sink += *p })
	check("make", func() { s := make([]int, 10); for i := range s { s[i] = i }; sink += s[3] })
	check("array", func() { var a [10]int; for i := range a[:] { a[i] = i }; sink += a[4] })
	check("closure", func() { t := 0; each(3, func(i int) { t += i }); sink += t })
	check("called", func() { t := 0; f := func(i int) { t += i }; f(2); sink += t })
	check("search", func() { sink += sort.SearchStrings(words, "b") })
	check("defer", func() { n := 1; defer func() { sink += n }(); n = 2 })
	check("sort", func() { slices.SortFunc(words, strings.Compare) })
	check("range", func() { for i := range func(yield func(int) bool) { yield(1) } { sink += i } })
}

func main() {
	loops()
	returned()
	fmt.Println(escaping().sum(), global.sum())
	churn(4)
	fmt.Println(global.sum(), global.next.val)
	tuples()
	fmt.Println(overwrite(9), *held)
	w := word()
	fmt.Println(overwrite(9), string(w))
	m, product := keys(), 1
	overwrite(9)
	for k, v := range m {
		product *= k.val + v
	}
	fmt.Println(product)
	closures()
	ranges()
	panics()
	goroutines()
	arrays()
	interfaces()
	allocations()
}
