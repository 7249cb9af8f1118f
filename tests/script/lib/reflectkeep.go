// run

package main

import (
	"fmt"
	"io"
	"reflect"
)

// What an interface has been given by reflection stays as it is when variables
// change, whether it has memory of its own or not.

type pair struct {
	A int
	B string
}

type outer struct {
	P    pair
	Q    *pair
	M    map[string]int
	F    func() int
	E    error
	I    any
	Arr  [3]int
	One  [1]*pair
	In   struct{ X *pair }
	Sl   []int
	Ch   chan int
	Big  [40]int
	none int
}

type named int

func (n named) Twice(k int) int { return int(n) * k }

func (p *pair) Set(a int) { p.A = a }

type nothing struct{}

// text is asked for its pointer's methods by reflection only.
type text struct{ s string }

func (t *text) String() string { return "text " + t.s }

func show(x any) { fmt.Printf("%T %v\n", x, x) }

func variable() {
	o := outer{P: pair{1, "one"}, Q: &pair{2, "two"}, E: io.EOF, I: 7, Arr: [3]int{1, 2, 3}}
	o.One[0], o.In.X = o.Q, o.Q
	v := reflect.ValueOf(&o).Elem()
	whole := v.Interface().(outer)
	var kept []any
	for i := range v.NumField() {
		if v.Field(i).CanInterface() {
			kept = append(kept, v.Field(i).Interface())
		}
	}
	one := v.Field(6).Index(1).Interface()
	o = outer{P: pair{9, "nine"}, Arr: [3]int{7, 8, 9}, I: "changed"}
	show(whole.P)
	fmt.Println(whole.Arr, whole.I, one, kept[0], kept[4], kept[5], kept[6])
	fmt.Println(kept[1].(*pair).B, kept[7].([1]*pair)[0].A, kept[8].(struct{ X *pair }).X.B)
}

func constant() {
	o := outer{P: pair{1, "one"}, E: io.EOF, I: pair{3, "three"}, Arr: [3]int{4, 5, 6}, Sl: []int{1, 2}}
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		f := v.Field(i)
		if !f.CanInterface() {
			fmt.Println("not", v.Type().Field(i).Name)
			continue
		}
		x := f.Interface()
		y := reflect.ValueOf(&x).Elem()
		y.Set(reflect.ValueOf("other"))
		if f.Kind() != reflect.Map && f.Kind() != reflect.Func && f.Kind() != reflect.Chan {
			show(f.Interface())
		}
	}
	// A copy in a variable changes, what it is a copy of does not.
	c := reflect.New(v.Field(0).Type()).Elem()
	c.Set(v.Field(0))
	c.Field(0).SetInt(100)
	fmt.Println(v.Field(0).Interface(), c.Interface(), o.P)
	p := v.Field(0).Interface().(pair)
	p.A++
	fmt.Println(v.Field(0).Interface(), p)
	fmt.Println(reflect.ValueOf(nothing{}).Interface(), reflect.Zero(reflect.TypeOf(p)).Interface(),
		reflect.Zero(reflect.TypeOf(o.In)).Interface(), v.Field(11).Index(3).Interface())
}

func maps() {
	m := map[string]pair{"a": {1, "x"}}
	var k, e any
	kv, ev := reflect.ValueOf(&k).Elem(), reflect.ValueOf(&e).Elem()
	it := reflect.ValueOf(m).MapRange()
	for it.Next() {
		kv.SetIterKey(it)
		ev.SetIterValue(it)
		fmt.Println(k, e, m)
	}
	x := reflect.ValueOf(m).MapIndex(reflect.ValueOf("a")).Interface()
	m["a"] = pair{3, "again"}
	delete(m, "a")
	fmt.Println(x)
}

func calls() {
	sum := func(what string, n ...any) string { return fmt.Sprint(what, n, len(n), cap(n)) }
	f := reflect.ValueOf(sum)
	b := pair{5, "five"}
	bv := reflect.ValueOf(&b).Elem()
	arg := []reflect.Value{reflect.ValueOf("w"), bv, reflect.ValueOf(&b), reflect.ValueOf(1)}
	keep := reflect.ValueOf(func(n ...any) []any { return n })
	got := keep.Call(arg)[0].Interface().([]any)
	b.A = 6
	fmt.Println(got[0], got[1], got[2].(*pair).A, got[3])
	fmt.Println(f.Call(arg[:1]), f.Call(arg[:3])[0].Len() > 0, f.Call([]reflect.Value{arg[0], arg[3], arg[3]}))
	fmt.Println(f.CallSlice([]reflect.Value{arg[0], reflect.ValueOf([]any{1, "2", nil})}))
	errs := reflect.ValueOf(func(e ...error) int { return len(e) })
	nilErr := reflect.Zero(reflect.TypeFor[error]())
	fmt.Println(errs.Call([]reflect.Value{reflect.ValueOf(io.EOF), nilErr})[0].Interface(), errs.Call(nil)[0])
	ints := reflect.ValueOf(func(a int, n ...int8) (s int) {
		for _, x := range n {
			s = s*10 + int(x)
		}
		return s + a*1000
	})
	i8 := func(x int8) reflect.Value { return reflect.ValueOf(x) }
	fmt.Println(ints.Call([]reflect.Value{reflect.ValueOf(4), i8(1), i8(2), i8(3)})[0])
	fmt.Println(reflect.ValueOf(named(7)).Method(0).Call([]reflect.Value{reflect.ValueOf(3)})[0],
		reflect.ValueOf(&b).MethodByName("Set").Call([]reflect.Value{reflect.ValueOf(8)}), b)
	meth := reflect.ValueOf(named(7)).Method(0).Interface().(func(int) int)
	fmt.Println(meth(5), keep.Call([]reflect.Value{reflect.ValueOf(named(2)).Method(0)})[0].Len())
	try := func(name string, fn reflect.Value, in ...reflect.Value) {
		defer func() { fmt.Println(name, recover()) }()
		fn.Call(in)
	}
	try("few", f)
	try("wrong", f, reflect.ValueOf(1))
	try("wrong in the rest", ints, reflect.ValueOf(1), i8(2), reflect.ValueOf("x"))
	try("wrong among errors", errs, reflect.ValueOf(io.EOF), reflect.ValueOf(1))
	try("zero", f, reflect.Value{})
	try("many", reflect.ValueOf(func() {}), reflect.ValueOf(1))
	hidden := reflect.ValueOf(outer{}).FieldByName("none")
	try("hidden", reflect.ValueOf(func(int) {}), hidden)
	try("hidden in the rest", f, reflect.ValueOf("w"), hidden)
}

func fields() {
	t := reflect.TypeOf(outer{})
	for i := range t.NumField() {
		f := t.Field(i)
		g, _ := t.FieldByName(f.Name)
		if len(f.Index) != 1 || cap(f.Index) != 1 || f.Index[0] != i || g.Index[0] != i {
			fmt.Println(f.Name, f.Index, g.Index)
		}
		more := append(f.Index, 1)
		more[0] = 77
		if t.Field(i).Index[0] != i {
			fmt.Println("changed", i)
		}
	}
	var many []reflect.StructField
	for i := range 40 {
		many = append(many, reflect.StructField{Name: fmt.Sprint("F", i), Type: reflect.TypeOf(i)})
	}
	big := reflect.StructOf(many)
	for i := range 40 {
		if x := big.Field(i).Index; len(x) != 1 || x[0] != i {
			fmt.Println(i, x)
		}
	}
}

// equal is machine code at some time.
func equal(x, y any, e, f error) (n int) {
	for range 1000 {
		if x == y {
			n++
		}
		if e != f {
			n += 1000
		}
	}
	return n
}

func pointers() {
	a, b := &pair{1, "a"}, &pair{1, "a"}
	e, f := fmt.Errorf("e"), fmt.Errorf("e")
	for range 3 {
		fmt.Println(equal(a, a, e, e), equal(a, b, e, f), equal(nil, a, nil, e),
			equal(*a, *b, io.EOF, io.EOF), equal("a", "b", f, e))
	}
	for _, x := range [][2]any{{a, a}, {a, b}, {(*pair)(nil), (*pair)(nil)}, {(*pair)(nil), a},
		{*a, *b}, {nil, nil}, {io.EOF, io.EOF}, {[1]*pair{a}, [1]*pair{a}}, {1, 1.0}} {
		fmt.Print(x[0] == x[1], x[0] != x[1], " ")
	}
	p := reflect.ValueOf(a)
	fmt.Println(p.Interface() == any(a), p.Elem().Addr().Interface() == any(a),
		reflect.PointerTo(p.Type()), reflect.PointerTo(p.Type()) == reflect.TypeOf(&a),
		reflect.PointerTo(reflect.TypeOf(text{"x"})).Implements(reflect.TypeFor[fmt.Stringer]()))
}

func main() {
	for range 3 {
		variable()
		constant()
		maps()
		calls()
		fields()
		pointers()
	}
}
