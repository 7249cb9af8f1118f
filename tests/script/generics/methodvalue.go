// run
// SPDX-License-Identifier: MIT

// The value of a method of a type parameter holds the operand; what leads from
// there to the receiver comes with the call.
package main

import "fmt"

type T struct{ a int }

func (t T) Get() int { return t.a }

func (t T) Sum(bs ...int) int {
	for _, b := range bs {
		t.a += b
	}
	return t.a
}

type big struct {
	T
	s [5]string
}

type Getter interface {
	Get() int
	Sum(bs ...int) int
}

type emb struct{ *T }
type embIface struct{ Getter }
type deep struct {
	n int
	*emb
}

func call(f func() int) {
	defer func() { fmt.Println("called:", recover()) }()
	fmt.Println(f())
}

func panics(f func()) (p bool) {
	defer func() { p = recover() != nil }()
	f()
	return
}

//go:noinline
func keep[F any](f F) F { return f }

func values[Obj Getter](what string, o Obj) {
	defer func() { fmt.Println("values:", recover()) }()
	fmt.Println("--", what)
	f := o.Get
	fmt.Println("bound")
	call(f)
	call(keep(o.Get))
	h := keep(o.Sum)
	call(func() int { return h(1, 2, 3) })
	g := Obj.Get
	fmt.Println(panics(func() { g(o) }), panics(func() { o.Get() }))
	fmt.Println(panics(func() {
		defer o.Get()
		fmt.Println("deferred")
	}))
	done := make(chan bool)
	defer func() { <-done }()
	go func() {
		defer close(done)
		defer func() { recover() }()
		defer o.Sum(1)
	}()
}

// The operand is evaluated with the value, what it points at with the call.
func moved[Obj Getter](o Obj, set func(int)) {
	f := o.Get
	set(7)
	fmt.Println(f(), o.Get())
	for i := range 3 {
		defer func(g func() int) { fmt.Println(g()) }(o.Get)
		set(i)
	}
}

// Of a plain pointer the receiver is copied with the value.
func plain(p *T) {
	defer func() { fmt.Println("plain:", recover()) }()
	f := p.Get
	p.a = 9
	fmt.Println(f())
}

func main() {
	var p *T
	values("*T nil", p)
	values("*T", &T{1})
	values("T", T{2})
	values("emb nil", emb{})
	values("emb", emb{&T{3}})
	values("*emb nil", (*emb)(nil))
	values("*emb", &emb{&T{4}})
	values("embIface nil", embIface{})
	values("embIface", embIface{T{5}})
	values("deep nil", deep{})
	values("deep", &deep{1, &emb{&T{6}}})
	values("big", big{T: T{7}})
	values("*big", &big{T: T{8}})
	values[Getter]("Getter", T{9})
	values[Getter]("Getter nil", nil)
	t := T{1}
	moved(&t, func(n int) { t.a = n })
	e := emb{&t}
	moved(e, func(n int) { t.a = n })
	moved(t, func(n int) { t.a = n })
	plain(&T{8})
	plain(nil)
	f := (*T).Get
	call(func() int { return f(nil) })
}
