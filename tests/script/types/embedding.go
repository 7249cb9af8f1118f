// run
// SPDX-License-Identifier: MIT

// Embedding: promotion through values, pointers and interfaces; shadowing.
package main

import (
	"fmt"
	"strings"
)

type Base struct {
	ID   int
	name string
}

func (b Base) Describe() string  { return fmt.Sprintf("Base(%d,%s)", b.ID, b.name) }
func (b *Base) SetName(s string) { b.name = s }
func (b Base) Hidden() string    { return "base hidden" }

type Middle struct {
	Base
	level int
}

func (m Middle) Hidden() string { return "middle over " + m.Base.Hidden() }

type Top struct {
	*Middle
	extra string
	ID    string
}

type Namer interface{ SetName(string) }
type Describer interface{ Describe() string }
type Both interface {
	Namer
	Describer
}

type Logger struct{ lines []string }

func (l *Logger) Log(s string) { l.lines = append(l.lines, s) }

type Service struct {
	*Logger
	Describer
	strings.Builder
}

type A struct{ v int }
type B struct{ v int }

func (A) Who() string   { return "A" }
func (B) Which() string { return "B" }

type AB struct {
	A
	B
	w int
}

type Int int

func (i Int) Double() Int { return i * 2 }

type WithInt struct {
	Int
	fn func() string
}

type over struct{ Describer }

func (o over) Describe() string { return "<" + o.Describer.Describe() + ">" }

func main() {
	m := Middle{Base{1, "one"}, 3}
	m.SetName("uno")
	fmt.Println(m.Describe(), m.Hidden(), m.ID, m.Base.ID, m.name)
	t := Top{&m, "x", "top-id"}
	t.SetName("via top")
	t.level++
	fmt.Println(t.Describe(), t.ID, t.Middle.ID, t.Base.ID, m.level, t.Hidden())
	var b Both = &m
	b.SetName("iface")
	fmt.Println(b.Describe(), m.name)
	b = t
	b.SetName("iface2")
	fmt.Println(b.Describe())
	var d Describer = m
	m.SetName("later")
	fmt.Println(d.Describe(), m.Describe())
	s := Service{Logger: &Logger{}, Describer: d}
	s.Log("hello")
	s.Log(s.Describe())
	s.WriteString("built ")
	s.WriteByte('!')
	fmt.Println(s.lines, s.String(), s.Len())
	ab := AB{A{1}, B{2}, 3}
	fmt.Println(ab.Who(), ab.Which(), ab.A.v, ab.B.v, ab.w, ab)
	w := WithInt{21, func() string { return "fn" }}
	fmt.Println(w.Double(), w.Int, w.fn(), w.Int.Double())
	f := t.Describe
	g := (*Base).SetName
	h := Middle.Describe
	k := Top.Describe
	m.SetName("method values")
	g(&m.Base, "g")
	fmt.Println(f(), h(m), k(t))
	fmt.Println(over{over{m}}.Describe())
	var top2 Top
	func() {
		defer func() { fmt.Println("nil embedded:", recover()) }()
		fmt.Println(top2.level)
	}()
	func() {
		defer func() { fmt.Println("nil interface:", recover()) }()
		fmt.Println(Service{}.Describe())
	}()
	anon := struct {
		Base
		Int
	}{Base{9, "anon"}, 4}
	fmt.Println(anon.Describe(), anon.Double())
	var dd Describer = anon
	_, isNamer := dd.(Namer)
	dd = &anon
	_, isNamer2 := dd.(Namer)
	fmt.Println(isNamer, isNamer2)
	fmt.Printf("%v %+v\n", m, anon)
	type deep struct{ Top }
	dp := deep{t}
	dp.SetName("deepest")
	fmt.Println(dp.Describe(), m.name, dp.extra)
}
