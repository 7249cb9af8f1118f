// run
package main

import (
	"fmt"
	"unsafe"
)

// What has been loaded is not loaded again, unless somebody may have written
// there; and pointers that have been used are not asked for again.

type point struct {
	x, y, z int
	next    *point
}

type buffer struct {
	s    []int
	name string
	pos  int
	arr  [4]int
	any  interface{}
	b    [8]byte
	ptr  *int
}

var (
	glob    = 3
	globs   []int
	gname   string
	gpoint  point
	gpoints [4]point
)

// Through two pointers that may be the same.
func twice(p, q *point) int {
	a := p.x
	q.x = a + 1
	b := p.x
	p.y = 10 * b
	q.y++
	return a + 100*b + 10000*p.y + 1000000*q.x
}

// Other words of the same object.
func apart(p *point) int {
	a := p.x*p.x + p.y*p.y
	p.z = a
	p.y = p.x
	return a + p.x*p.x + p.y*p.y + p.z
}

// Elements that may be fields.
func elements(b *buffer, s []int, i, j int) int {
	n := b.pos + b.arr[1]
	s[i] = 7
	n += 100 * (b.pos + b.arr[1])
	s[j]++
	n += 10000 * (s[i] + s[j])
	b.arr[i&3] = 5
	return n + 1000000*(s[j]+b.arr[1])
}

// Of a slice that is loaded for each access; its own words are elsewhere.
func headers(b *buffer, v int) int {
	n := 0
	b.s[0] = v
	b.s[1] = v + b.s[0]
	n = b.s[0] + b.s[1]
	b.s = b.s[1:]
	n += 100 * b.s[0]
	b.s[0] = 1
	b.s = append(b.s, n)
	n += b.s[len(b.s)-1] + len(b.s)
	return n
}

// A slice of slices: elements are headers.
func rows(a [][]int, i, j int) int {
	n := a[i][j] + a[i][j+1]
	a[i][j] = 9
	n += 100 * (a[i][j] + a[i][j+1])
	a[i] = a[j]
	n += 10000 * a[i][j]
	a[j][0] = 4
	return n + 1000000*a[i][0]
}

func texts(t []string, i, j int) string {
	s := t[i] + t[j]
	t[i] = "<" + t[j] + ">"
	s += t[i] + t[j]
	n := 0
	for k := 0; k < len(t[i]) && t[i][k] != 'x'; k++ {
		n++
		if k == 1 {
			t[i] = "abx"
		}
	}
	return fmt.Sprint(s, n)
}

// A string that is stored as an element may be the one whose bytes are read.
func bytesOf(t []string, i, j, n int) (sum int) {
	for ; n > 0; n-- {
		s := t[i]
		sum += int(s[0])
		t[j] = "z"
		sum = 10*sum + int(t[i][0])
		t[j] = s
	}
	return sum
}

func globals(p *int, i int) int {
	n := glob
	*p = n + 1
	n += 10 * glob
	glob = 5
	n += 100 * *p
	globs[i] = 2
	n += 1000 * glob
	gpoint.x = i
	q := &gpoint
	q.x++
	gpoints[i].y = gpoints[i].x + q.x
	return n + 10000*(gpoint.x+gpoints[i].y)
}

func (b *buffer) peek() int {
	if b.pos < len(b.name) {
		return int(b.name[b.pos])
	}
	return -1
}

func (b *buffer) skip() { b.pos++ }

// Small methods, spliced in.
func words(b *buffer) int {
	n := 0
	for b.peek() >= 0 {
		for b.peek() == ' ' {
			b.skip()
		}
		if b.peek() < 0 {
			break
		}
		n++
		for b.peek() >= 0 && b.peek() != ' ' {
			b.skip()
		}
	}
	return n + 100*b.pos
}

//go:noinline
func change(b *buffer, i int) int {
	b.pos = i
	b.s = nil
	if i%2 == 0 {
		b.s = []int{i, i, i}
	}
	b.name = "changed"[i%4:]
	return i
}

// Calls may write anything.
func calls(b *buffer, i int) int {
	n := b.pos + len(b.s) + len(b.name)
	n += 1000 * change(b, i)
	return n + 1000000*(b.pos+len(b.s)+len(b.name))
}

// Bytes of a number, a pointer's word, an interface.
func views(b *buffer, p **int) int {
	w := (*uint64)(unsafe.Pointer(&b.b))
	n := int(*w)
	b.b[0] = 3
	n += int(*w) * 16
	*(*uint8)(unsafe.Pointer(w)) = 9
	n += int(b.b[0]) + int(*w)
	x, y := 1, 2
	b.ptr = &x
	n += *b.ptr
	*p = &y
	n += 10 * *b.ptr
	b.any = n
	m := b.any.(int)
	b.any = "text"
	return m + len(b.any.(string))
}

// A slice's words by an address of their own.
func header(b []byte) int {
	type words struct{ ptr, len, cap int }
	h := (*words)(unsafe.Pointer(&b))
	n := len(b) + int(b[0])
	h.len = 2
	n += 10*len(b) + 100*int(b[1])
	h.len = 3
	return n + 1000*len(b) + 10000*int(b[2])
}

// Where it fails is where it says so, and not before.
func fails(p *point, n int) (done int, err interface{}) {
	defer func() { err = recover() }()
	for i := 0; i < n; i++ {
		done++
		if i == 2 {
			p = p.next
			done += 10
		}
		done += p.x
		p.x = p.x + p.y
		done += 100
	}
	return
}

func list(p *point) int {
	n := 0
	for ; p != nil; p = p.next {
		n += p.x + p.y
		if p.next != nil && p.next.x > p.x {
			n += p.next.x * p.next.x
		}
	}
	return n
}

// A pointer that is used on some ways only.
func ways(p, q *point, i int) (n int, err interface{}) {
	defer func() { err = recover() }()
	for ; i < 6; i++ {
		r := q
		if i%2 == 0 {
			n += p.x
			r = p
		}
		if i == 3 {
			n += r.y
			q = nil
		}
		n += 10 * r.z
	}
	return
}

// It has been used, but is another one then.
func walk(p *point, n int) (sum int, err interface{}) {
	defer func() { err = recover() }()
	sum = p.x
	for i := 0; i < n; i++ {
		if i%2 == 1 {
			p = p.next
		}
		sum += 10 * p.y
	}
	return
}

func index(a []int, i int) (n int, err interface{}) {
	defer func() { err = recover() }()
	n = a[i] + a[i]
	a = a[:len(a)-1]
	n += 1000
	n += a[i]
	return
}

func field(a []point, i, j int) int {
	n := a[i].x*a[i].x + a[j].y
	a[i].x = 4
	a[j].x++
	n += 100 * (a[i].x*a[i].x + a[j].x)
	i++
	return n + 10000*a[i].x
}

func floats(p *[3]float64, q []float64) float64 {
	s := p[0]*p[0] + p[1]*p[1]
	q[0] = s
	s += p[0]*p[0] + p[1]*p[1]
	p[2] = s
	return p[2] + q[2] + q[0]
}

// A division by -1 is the interpreter's, which goes on from there and loads
// again what machine code has kept.
func leaves(ps []*point, d int) int {
	n := 0
	for i := range ps {
		p := ps[i]
		a := p.x
		n += a / d
		n += 10*a + p.x
	}
	for i := range ps {
		p := ps[len(ps)-1-i]
		a := p.y + 1
		p.y = a
		n += a / d
		n += p.y * a
	}
	return n
}

func one(k int) {
	p, q := &point{x: k, y: 2}, &point{x: 5, y: 6}
	fmt.Println(twice(p, q), twice(p, p), apart(p), apart(q))
	b := &buffer{s: []int{1, 2, 3, 4}, pos: k}
	fmt.Println(elements(b, []int{1, 2, 3, 4}, 1, 2), elements(b, b.arr[:], 1, 1),
		elements(b, b.arr[:], 1, 3), headers(b, k), len(b.s))
	fmt.Println(rows([][]int{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, 1, 1),
		rows([][]int{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, 0, 1))
	same := []int{1, 2, 3}
	fmt.Println(rows([][]int{same, same}, 0, 1), texts([]string{"a", "b"}, 0, 1),
		texts([]string{"a", "b"}, 1, 1))
	fmt.Println(bytesOf([]string{"x", "y"}, 0, 1, 3), bytesOf([]string{"x", "y"}, 1, 1, 3))
	globs = []int{1, 2, 3}
	n := 0
	glob = k
	fmt.Println(globals(&glob, 1), globals(&n, 2), globals(&globs[1], 1),
		globals(&gpoint.x, 1))
	fmt.Println(words(&buffer{name: " ab  cde f"}), words(&buffer{}),
		calls(b, k), calls(b, k+1))
	fmt.Println(views(b, &b.ptr), header([]byte{1, 2, 3, 4}))
	fmt.Println(fails(&point{x: 1, y: 1}, 2))
	fmt.Println(fails(&point{x: 1, y: 1}, 5))
	fmt.Println(fails(&point{x: 1, y: 1, next: &point{x: 2}}, 5))
	fmt.Println(fails(nil, 1))
	fmt.Println(fails(nil, 0))
	fmt.Println(list(&point{1, 2, 3, &point{4, 5, 6, &point{x: 2}}}), list(nil))
	fmt.Println(ways(p, q, 0))
	fmt.Println(ways(p, nil, 0))
	fmt.Println(ways(nil, q, 1))
	fmt.Println(ways(p, nil, 4))
	fmt.Println(walk(&point{1, 2, 3, &point{x: 4, y: 5}}, 3))
	fmt.Println(walk(&point{1, 2, 3, &point{x: 4, y: 5}}, 4))
	fmt.Println(index([]int{1, 2, 3}, 1))
	fmt.Println(index([]int{1, 2, 3}, 2))
	fmt.Println(index([]int{1, 2, 3}, 3))
	fmt.Println(field([]point{{x: 1}, {x: 2}, {x: 3}}, 0, 1),
		field([]point{{x: 1}, {x: 2}, {x: 3}}, 1, 1))
	fmt.Println(leaves([]*point{p, q, p}, 2), leaves([]*point{p, q, p}, -1))
	f := [3]float64{1.5, 2.5, 0}
	fmt.Println(floats(&f, make([]float64, 3)), floats(&f, f[:]))
}

func main() {
	for k := 0; k < 3; k++ {
		one(k)
	}
}
