// run
// concurrent: 15
// go-trace: 1
// SPDX-License-Identifier: MIT

// Objects wander between all kinds of places while collections run: each is
// known in exactly one place, and is looked at on every move.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

const magic = 0x1234567890abcdef

type obj struct {
	a    uint64
	next *obj
	b    uint64
}

func newObj() *obj {
	p := &obj{a: magic, b: ^uint64(magic)}
	p.next = p
	return p
}

func check(p *obj, where string) {
	if p.a != magic || p.b != ^p.a || p.next != p {
		fmt.Println("lost an object in", where)
		os.Exit(1)
	}
}

// A place keeps one object; swap puts another one in and gives the old one
// back.
type place interface {
	name() string
	swap(p *obj) *obj
}

type field struct {
	pad [3]uint64
	p   *obj
	box *[7]*obj
}

func (f *field) name() string { return "field" }
func (f *field) swap(p *obj) *obj {
	if f.box == nil {
		f.box = new([7]*obj)
		f.box[3] = newObj()
	}
	old := f.p
	f.p = f.box[3]
	f.box[3] = p
	return old
}

type mapped struct {
	m   map[int]*obj
	key map[*obj]bool
	n   int
}

func (f *mapped) name() string { return "map" }
func (f *mapped) swap(p *obj) *obj {
	f.n++
	if f.n%200 == 0 {
		f.m = make(map[int]*obj)
		for k := range f.key {
			f.m[0] = k
		}
	}
	if f.n%3 == 0 {
		// As a key.
		var old *obj
		for k := range f.key {
			old = k
		}
		delete(f.key, old)
		f.key[p] = true
		return old
	}
	old := f.m[f.n-1]
	delete(f.m, f.n-1)
	if old == nil {
		for k, v := range f.m {
			old = v
			delete(f.m, k)
			break
		}
	}
	f.m[f.n] = p
	if old == nil {
		old = newObj()
	}
	// Grows and shrinks.
	for i := 0; i < f.n%40; i++ {
		f.m[-1-i] = p
	}
	for i := 0; i < f.n%40; i++ {
		delete(f.m, -1-i)
	}
	return old
}

type closure struct{ f func() *obj }

func (c *closure) name() string { return "closure" }
func (c *closure) swap(p *obj) *obj {
	old := c.f()
	q := p
	c.f = func() *obj { r := q; q = nil; return r }
	return old
}

type bound struct{ f func() *obj }

func (p *obj) self() *obj { return p }

func (c *bound) name() string { return "method value" }
func (c *bound) swap(p *obj) *obj {
	old := c.f()
	c.f = p.self
	return old
}

type deferred struct{ p *obj }

func (d *deferred) name() string { return "defer" }
func (d *deferred) swap(p *obj) *obj {
	old := d.p
	d.p = nil
	func() {
		defer func(q *obj) {
			recover()
			d.p = q
		}(p)
		p = nil
		runtime.Gosched()
		panic(1)
	}()
	return old
}

type thrown struct{ p *obj }

func (d *thrown) name() string { return "panic" }
func (d *thrown) swap(p *obj) *obj {
	old := d.p
	func() {
		defer func() {
			runtime.Gosched()
			d.p = recover().(*obj)
		}()
		panic(p)
	}()
	return old
}

type atom struct{ p atomic.Pointer[obj] }

func (a *atom) name() string     { return "atomic.Pointer" }
func (a *atom) swap(p *obj) *obj { return a.p.Swap(p) }

type atomCAS struct{ p unsafe.Pointer }

func (a *atomCAS) name() string { return "CompareAndSwapPointer" }
func (a *atomCAS) swap(p *obj) *obj {
	old := atomic.LoadPointer(&a.p)
	atomic.CompareAndSwapPointer(&a.p, old, unsafe.Pointer(p))
	return (*obj)(old)
}

type value struct{ v atomic.Value }

func (a *value) name() string     { return "atomic.Value" }
func (a *value) swap(p *obj) *obj { return a.v.Swap(p).(*obj) }

type timer struct{ c chan *obj }

func (t *timer) name() string { return "timer" }
func (t *timer) swap(p *obj) *obj {
	old := <-t.c
	time.AfterFunc(time.Duration(uintptr(unsafe.Pointer(p))>>4%40)*time.Microsecond, func() { t.c <- p })
	return old
}

type buffered struct{ c chan *obj }

func (b *buffered) name() string { return "buffered channel" }
func (b *buffered) swap(p *obj) *obj {
	b.c <- p
	return <-b.c
}

type unbuffered struct{ c chan *obj }

func (b *unbuffered) name() string { return "unbuffered channel" }
func (b *unbuffered) swap(p *obj) *obj {
	old := <-b.c
	c := b.c
	go func(p *obj) { c <- p }(p)
	return old
}

type selected struct{ in, out, never chan *obj }

func (s *selected) name() string { return "select" }
func (s *selected) serve(p *obj) {
	for {
		// Both sides wait in selects.
		select {
		case s.out <- p:
		case <-s.never:
		}
		p = nil
		select {
		case p = <-s.in:
		case <-s.never:
		}
	}
}
func (s *selected) swap(p *obj) *obj {
	var old *obj
	select {
	case old = <-s.out:
	case <-s.never:
	}
	select {
	case s.in <- p:
	case <-s.never:
	}
	return old
}

type slice struct {
	v []*obj
	w [][2]*obj
	n int
}

func (s *slice) name() string { return "slice" }
func (s *slice) swap(p *obj) *obj {
	s.n++
	s.v = append(s.v, p)
	if s.n%2 == 0 {
		s.v = append([]*obj(nil), s.v...)
	}
	if s.n%5 == 0 {
		sort.Slice(s.v, func(i, j int) bool { return uintptr(unsafe.Pointer(s.v[i])) < uintptr(unsafe.Pointer(s.v[j])) })
	}
	s.w = append(s.w[:0], [2]*obj{s.v[0], nil})
	copy(s.v, s.v[1:])
	s.v[len(s.v)-1] = nil
	s.v = s.v[:len(s.v)-1]
	old := s.w[0]
	clear(s.w)
	return old[0]
}

type boxed struct {
	any  any
	pair any
}

func (b *boxed) name() string { return "interface" }
func (b *boxed) swap(p *obj) *obj {
	old := b.any.(*obj)
	x := b.pair.([2]*obj)
	b.any = x[1]
	b.pair = [2]*obj{nil, p}
	return old
}

type parked struct {
	in, out chan bool
	p       **obj
}

func (s *parked) name() string { return "stack" }

// deep keeps p in a frame far down while it waits.
func (s *parked) deep(n int, p *obj) *obj {
	if n > 0 {
		return s.deep(n-1, p)
	}
	s.out <- true
	<-s.in
	q := *s.p
	*s.p = p
	s.out <- true
	<-s.in
	return q
}
func (s *parked) serve(p *obj) {
	for n := 0; ; n++ {
		p = s.deep(n%60, p)
	}
}
func (s *parked) swap(p *obj) *obj {
	<-s.out
	*s.p = p
	s.in <- true
	<-s.out
	old := *s.p
	*s.p = nil
	s.in <- true
	return old
}

type pooled struct {
	n sync.Mutex
	p []any
}

func (s *pooled) name() string { return "variadic" }
func pass(list ...any) any     { return list[len(list)-1] }
func (s *pooled) swap(p *obj) *obj {
	s.n.Lock()
	defer s.n.Unlock()
	old := pass(s.p...).(*obj)
	s.p = append([]any{1, "a"}, p)
	return old
}

func places() []place {
	t := &timer{make(chan *obj, 1)}
	t.c <- newObj()
	u := &unbuffered{make(chan *obj)}
	go func() { u.c <- newObj() }()
	b := &buffered{make(chan *obj, 3)}
	b.c <- newObj()
	b.c <- newObj()
	s := &selected{make(chan *obj), make(chan *obj), make(chan *obj)}
	go s.serve(newObj())
	pk := &parked{make(chan bool), make(chan bool), new(*obj)}
	go pk.serve(newObj())
	a := new(atom)
	a.p.Store(newObj())
	v := new(value)
	v.v.Store(newObj())
	first := newObj()
	return []place{
		&field{p: newObj()},
		&mapped{m: map[int]*obj{0: newObj()}, key: map[*obj]bool{newObj(): true}},
		&closure{func() *obj { return first }},
		&bound{newObj().self},
		&deferred{newObj()},
		&thrown{newObj()},
		a, &atomCAS{unsafe.Pointer(newObj())}, v, t, b, u, s,
		&slice{v: []*obj{newObj(), newObj(), newObj()}},
		&boxed{newObj(), [2]*obj{nil, newObj()}},
		pk,
		&pooled{p: []any{newObj()}},
	}
}

func wander(seed uint32, stop *atomic.Bool, wg *sync.WaitGroup) {
	defer wg.Done()
	ps := places()
	p := newObj()
	n := uint32(len(ps))
	for i := 0; i < 100 || !stop.Load(); i++ {
		seed = seed*1664525 + 1013904223
		at := ps[(seed>>10)%n]
		p = at.swap(p)
		check(p, at.name())
		if seed>>28 == 0 {
			runtime.Gosched()
		}
	}
}

// What makes a mark take its time.
type tree struct{ l, r *tree }

func grow(n int) *tree {
	if n == 0 {
		return nil
	}
	return &tree{grow(n - 1), grow(n - 1)}
}

func main() {
	ballast := grow(14)
	var stop atomic.Bool
	var wg sync.WaitGroup
	for i := 0; i < 6; i++ {
		wg.Add(1)
		go wander(uint32(i*i+1), &stop, &wg)
	}
	for i := 0; i < 15; i++ {
		runtime.GC()
		runtime.Gosched()
	}
	stop.Store(true)
	wg.Wait()
	runtime.KeepAlive(ballast)
	fmt.Println("ok")
}
