// run
// SPDX-License-Identifier: MIT

// %v, %+v, %#v and %T of every kind of value; Stringer and its relatives.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"
)

type P struct{ X, Y int }
type N struct {
	A  int8
	B  string
	C  []byte
	D  map[string]int
	E  *P
	F  interface{}
	G  [2]bool
	h  P
	fn func()
	ch chan int
	P2 struct{ Z float32 }
	er error
}
type Str string
type Sl []int
type M map[P]string
type St struct{ n int }
type Pt struct{ n int }
type Go struct{ n int }
type Er struct{ code int }
type Fm struct{ n int }
type Pan struct{}
type Rec struct {
	next *Rec
	v    int
}
type Emb struct {
	P
	St
	name string
}
type Celsius float64

func (s St) String() string      { return fmt.Sprintf("St<%d>", s.n) }
func (p *Pt) String() string     { return fmt.Sprintf("Pt<%d>", p.n) }
func (g Go) GoString() string    { return "Go!" }
func (e Er) Error() string       { return fmt.Sprint("Er ", e.code) }
func (e Er) String() string      { return "not used" }
func (Pan) String() string       { panic("in String") }
func (c Celsius) String() string { return fmt.Sprintf("%.1fC", float64(c)) }
func (f Fm) Format(s fmt.State, verb rune) {
	w, wok := s.Width()
	p, pok := s.Precision()
	fmt.Fprintf(s, "F(%c %d %v %d %v %v%v%v%v%v)", verb, w, wok, p, pok, s.Flag('+'), s.Flag('-'), s.Flag('#'), s.Flag(' '), s.Flag('0'))
}

func show(vs ...interface{}) {
	for _, v := range vs {
		fmt.Printf("%v | %+v | %#v | %T\n", v, v, v, v)
	}
}

func main() {
	p := P{1, -2}
	n := N{A: 1, B: "b", C: []byte("c"), D: map[string]int{"z": 1, "a": 2}, F: p}
	show(p, n, Str("s\n"), Sl{1, 2}, Sl(nil), M{{2, 1}: "x", {1, 2}: "y"}, []string{"a", "b c"}, [3]int{1}, [0]int{}, []interface{}{1, "a", nil, 1.5, p})
	show(nil, true, 'x', uint8(5), uintptr(7), float32(1.5), 1e6, 1e21, 100000.0, 2+3i, "q\"uote", "back`tick")
	show(map[int]bool{3: true, 1: false}, map[string][]int{"k": {1}}, map[interface{}]int{2.5: 1, 1.5: 3}, map[string]interface{}{})
	show(struct{}{}, struct {
		A int `tag:"x"`
		b string
	}{1, "2"}, []struct{ X int }{{1}, {2}}, [][]int{{1}, nil, {}}, (*P)(nil), []*P{nil}, error(nil), [2]P{{1, 2}}, []byte(nil), []byte{}, [3]byte{1, 2, 3})
	fmt.Printf("%v %+v\n", &p, &n.P2)
	fmt.Printf("%v %v %+v %v\n", &[]int{1}, &map[string]int{"a": 1}, &struct{ P *int }{}, &[2]string{"x"})
	fmt.Printf("%#v %#v\n", &p, &[]string{"x"})
	show(St{3}, []St{{1}, {2}}, map[string]St{"k": {4}}, struct{ S St }{St{5}}, Go{1}, []Go{{1}}, Er{7}, []error{Er{1}, Er{2}}, Celsius(36.6))
	pt := &Pt{9}
	fmt.Println(pt, *pt, []fmt.Stringer{pt, St{1}}, struct{ p *Pt }{nil})
	fmt.Printf("%s %d %x %q %v %10v|%-10s|\n", St{1}, St{1}, St{1}, St{1}, Emb{p, St{2}, "n"}, St{3}, St{4})
	fmt.Printf("%+v %#v\n", struct {
		P
		name string
	}{p, "n"}, Emb{p, St{2}, "n"})
	fmt.Printf("%v %+v %#v %s %8.3d %-5x %06q % z\n", Fm{1}, Fm{1}, Fm{1}, Fm{1}, Fm{1}, Fm{1}, Fm{1}, Fm{1})
	fmt.Println(Fm{2}, []Fm{{1}}, map[string]Fm{"a": {1}})
	fmt.Printf("%v %s\n", Pan{}, []interface{}{Pan{}, 1})
	fmt.Printf("%v %s\n", (*St)(nil), (*St)(nil))
	fmt.Printf("%v %v\n", (*Pt)(nil) == nil, Rec{nil, 1})
	fmt.Printf("%T %T %T %T %T %T %T %T %T\n", p, &p, show, make(chan int), (<-chan bool)(nil), main, pt.String, struct{ X, y int }{}, M{})
	fmt.Printf("%T %T %T %T %T\n", func(int, ...string) (bool, error) { return false, nil }, [2][]map[string]*P{}, errors.New("x"), fmt.Errorf("%w", Er{1}), interface{}(nil))
	fmt.Printf("%T %T %T\n", (interface{ M() })(nil), []interface{ M(int) string }{}, map[string]chan<- interface{}{})
	fmt.Printf("%v %v %s\n", time.Duration(1500)*time.Millisecond, []time.Duration{1, 1e9}, 90*time.Second)
	fmt.Printf("%d %v %x %s\n", []byte("ab"), []Str{"x"}, Str("hi"), []Str{"p", "q"})
	fmt.Printf("%#v %#v %#v %#v %#v\n", 1.0, 1e10, float32(2), 5+0i, []float64{1, 2.5})
	fmt.Printf("%#v %#v %#v %#v %#v %#v\n", int8(1), uint16(2), uintptr(3), 'x', Str("s"), Celsius(1))
	fmt.Printf("%#v %#v %#v\n", []interface{}{nil, 1}, map[string]interface{}{"k": nil}, struct{ E error }{})
	fmt.Printf("%v %d %s\n", struct {
		a interface{}
		b error
	}{1, Er{2}}, struct{ a, b int }{1, 2}, struct{ a string }{"s"})
	fmt.Fprintln(os.Stdout, "to", "stdout")
	fmt.Fprintf(os.Stderr, "to %s\n", "stderr")
	n2, err := fmt.Print("count\n")
	fmt.Println(n2, err)
	fmt.Println(string(fmt.Append([]byte("x"), 1, "y")), string(fmt.Appendf(nil, "%03d", 7)), string(fmt.Appendln(nil, "z")))
	e1 := fmt.Errorf("outer: %w", Er{5})
	e2 := fmt.Errorf("two: %w and %w", e1, os.ErrNotExist)
	var er Er
	fmt.Println(e2, errors.Is(e2, os.ErrNotExist), errors.As(e2, &er), er.code, errors.Unwrap(e1) == Er{5}, errors.Unwrap(e2))
}
