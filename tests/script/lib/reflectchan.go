// run
// SPDX-License-Identifier: MIT

// Channels, struct types, iterators, fields and map iterators of reflect.

package main

import (
	"fmt"
	"reflect"
	"sort"
)

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("%s: %v\n", name, r)
		}
	}()
	f()
}

type pair struct {
	a int32
	s string
}

func channels() {
	for _, x := range []any{int8(-5), uint16(9), float32(2.5), true, "text", pair{-1, "p"},
		[3]byte{1, 2, 3}, []int{1}, map[string]int{"k": 1}, struct{}{}, error(nil)} {
		et := reflect.TypeOf((*any)(nil)).Elem()
		v := reflect.Zero(et)
		if x != nil {
			v = reflect.ValueOf(x)
			et = v.Type()
		}
		c := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, et), 1)
		fmt.Print(c.Type(), " ", c.TrySend(v), " ", c.TrySend(v), " ", c.Len(), " ")
		got, ok := c.Recv()
		fmt.Print(got, " ", ok, " ")
		got, ok = c.TryRecv()
		fmt.Print(got.IsValid(), " ", ok, " ")
		done := make(chan bool)
		d := reflect.MakeChan(c.Type(), 0)
		go func() {
			d.Send(v)
			d.Close()
			close(done)
		}()
		got, ok = d.Recv()
		<-done
		fmt.Print(got, " ", ok, " ")
		got, ok = d.Recv()
		fmt.Println(got, ok)
	}
	c := reflect.ValueOf(make(chan int))
	try("send closed", func() { c.Close(); c.Send(reflect.ValueOf(1)) })
	try("close closed", func() { c.Close() })
	try("close nil", func() { reflect.Zero(c.Type()).Close() })
	try("recv send-only", func() { reflect.ValueOf(make(chan<- int)).Recv() })
	try("send recv-only", func() { reflect.ValueOf(make(<-chan int)).Send(reflect.ValueOf(1)) })
	try("close recv-only", func() { reflect.ValueOf(make(<-chan int)).Close() })
	try("type", func() { reflect.ValueOf(make(chan int)).TrySend(reflect.ValueOf("s")) })
	try("kind", func() { reflect.ValueOf(1).Recv() })
	try("make", func() { reflect.MakeChan(reflect.TypeOf(make(<-chan int)), 0) })
	d := make(chan int)
	stop := make(chan string)
	go func() {
		defer func() { stop <- fmt.Sprint(recover()) }()
		reflect.ValueOf(d).Send(reflect.ValueOf(1))
	}()
	close(d)
	fmt.Println(<-stop)
}

func selects() {
	a, b := make(chan int, 1), make(chan string)
	cases := []reflect.SelectCase{
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(a)},
		{Dir: reflect.SelectSend, Chan: reflect.ValueOf(b), Send: reflect.ValueOf("sent")},
		{Dir: reflect.SelectRecv},
		{Dir: reflect.SelectDefault},
	}
	fmt.Println(reflect.Select(cases))
	a <- 4
	fmt.Println(reflect.Select(cases))
	got := make(chan string, 1)
	go func() { got <- <-b; a <- 5; close(a) }()
	i, v, ok := reflect.Select(cases[:3])
	fmt.Println(<-got)
	fmt.Println(i, v.IsValid(), ok)
	fmt.Println(reflect.Select(append(cases[:1:1], cases[2])))
	fmt.Println(reflect.Select(cases[:1]))
	try("two defaults", func() { reflect.Select([]reflect.SelectCase{cases[3], cases[3]}) })
	try("no dir", func() { reflect.Select(make([]reflect.SelectCase, 1)) })
	try("no value", func() {
		reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: reflect.ValueOf(b)}})
	})
	try("value", func() {
		reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Send: reflect.ValueOf(b)}})
	})
	close(b)
	try("closed", func() { reflect.Select(cases[1:]) })
}

type Named struct{ N int }

func (n Named) Get() int   { return n.N }
func (n *Named) Put(x int) { n.N = x }

func structs() {
	field := func(name string, x any, tag reflect.StructTag) reflect.StructField {
		return reflect.StructField{Name: name, Type: reflect.TypeOf(x), Tag: tag}
	}
	t := reflect.StructOf([]reflect.StructField{
		field("A", int8(0), ""), field("B", "", `k:"v"`), field("C", [2]*int{}, ""),
		field("D", struct{}{}, "")})
	fmt.Println(t, t.Size(), t.Align(), t.NumField(), t.Comparable(), t.Field(3).Offset)
	same := reflect.TypeOf(struct {
		A int8
		B string "k:\"v\""
		C [2]*int
		D struct{}
	}{})
	fmt.Println(t == same, t.Size() == same.Size())
	own := reflect.StructOf([]reflect.StructField{field("X", "", ""), field("Y", map[string]int{}, "")})
	v := reflect.New(own).Elem()
	v.Field(0).SetString("x")
	v.Field(1).Set(reflect.ValueOf(map[string]int{"one": 1}))
	fmt.Printf("%+v %T %v\n", v, v.Interface(), own.Comparable())
	m := reflect.MakeMap(reflect.MapOf(reflect.StructOf([]reflect.StructField{
		field("K", "", ""), field("L", 1.5, "")}), reflect.TypeOf(0)))
	for i := 0; i < 4; i++ {
		k := reflect.New(m.Type().Key()).Elem()
		k.Field(0).SetString(fmt.Sprint("k", i%2))
		m.SetMapIndex(k, reflect.ValueOf(i))
	}
	fmt.Println(m.Len(), m)
	e := reflect.StructOf([]reflect.StructField{
		{Name: "Named", Type: reflect.TypeOf(Named{}), Anonymous: true}, field("Z", 1, "")})
	ev := reflect.New(e).Elem()
	ev.Field(0).Field(0).SetInt(8)
	fmt.Println(e, e.NumMethod(), ev.Interface().(interface{ Get() int }).Get(), ev.Method(0).Call(nil)[0])
	for _, f := range [][]reflect.StructField{
		{{}}, {{Name: "a b"}}, {{Name: "a"}}, {field("a", 1, "")},
		{field("A", 1, ""), field("A", 2, "")},
		{field("Z", 1, ""), {Name: "Named", Type: reflect.TypeOf(Named{}), Anonymous: true}},
		{{Name: "P", Type: reflect.TypeOf(new(*int)), Anonymous: true}},
		{{Name: "a", PkgPath: "p", Type: t}, {Name: "b", PkgPath: "q", Type: t}},
	} {
		try("struct", func() { fmt.Println(reflect.StructOf(f)) })
	}
}

type Base struct{ Same, Low int }
type Other struct{ Same, High int }
type deepest struct{ Deep, Low string }
type Embeds struct {
	Base
	*Other
	*deepest
	Own int
}

func fields() {
	t := reflect.TypeOf(Embeds{})
	for _, f := range reflect.VisibleFields(t) {
		fmt.Print(f.Name, f.Index, " ")
	}
	fmt.Println()
	for _, name := range []string{"Same", "Low", "High", "Deep", "Own", "No"} {
		f, ok := t.FieldByName(name)
		fmt.Print(name, " ", f.Index, " ", ok, "; ")
	}
	fmt.Println()
	f, ok := t.FieldByNameFunc(func(s string) bool { return len(s) == 4 && s[0] == 'D' })
	fmt.Println(f.Name, ok, t.FieldByIndex([]int{1, 1}).Name)
	_, err := reflect.ValueOf(Embeds{}).FieldByIndexErr([]int{1, 0})
	fmt.Println(err)
	try("nil", func() { reflect.ValueOf(Embeds{}).FieldByIndex([]int{1, 0}) })
	for f := range t.Fields() {
		fmt.Print(f.Name, " ")
	}
	for in := range reflect.TypeOf(fields2).Ins() {
		fmt.Print(in, " ")
	}
	for f, v := range reflect.ValueOf(pair{3, "s"}).Fields() {
		fmt.Print(f.Name, "=", v, " ")
	}
	for m, v := range reflect.ValueOf(Named{4}).Methods() {
		fmt.Print(m.Name, "=", v.Call(nil)[0], " ")
	}
	fmt.Println()
}

func fields2(a int, b ...string) {}

func sequences() {
	type count uint8
	evens := func(yield func(int, string) bool) {
		for i := 0; i < 10 && yield(i*2, "e"); i++ {
		}
	}
	c := make(chan string, 2)
	c <- "a"
	c <- "b"
	close(c)
	for _, x := range []any{count(3), []string{"x", "y"}, "hé", &[2]int{5, 6}, map[int]bool{1: true}, c,
		func(yield func(string) bool) { _ = yield("f") && yield("g") && yield("h") }} {
		v := reflect.ValueOf(x)
		fmt.Print(v.Type(), " ", v.Type().CanSeq(), " ", v.Type().CanSeq2(), ": ")
		n := 0
		for e := range v.Seq() {
			fmt.Print(e.Type(), " ", e, ", ")
			if n++; n == 2 {
				break
			}
		}
		if v.Type().CanSeq2() {
			for a, b := range v.Seq2() {
				fmt.Print(a, "=", b, "; ")
			}
		}
		fmt.Println()
	}
	for a, b := range reflect.ValueOf(evens).Seq2() {
		if a.Int() > 4 {
			break
		}
		fmt.Print(a, b, " ")
	}
	fmt.Println()
	try("seq", func() { reflect.ValueOf(1.5).Seq() })
	try("seq2", func() { reflect.ValueOf(1).Seq2() })
}

func maps() {
	m := map[string]int{"a": 1, "b": 2, "c": 3}
	v := reflect.ValueOf(m)
	var got []string
	key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	it := v.MapRange()
	try("before", func() { it.Key() })
	try("before", func() { key.SetIterKey(it) })
	for it.Next() {
		key.SetIterKey(it)
		elem.SetIterValue(it)
		got = append(got, fmt.Sprint(key, it.Key(), elem, it.Value()))
	}
	sort.Strings(got)
	fmt.Println(got)
	try("after", func() { it.Value() })
	try("after", func() { it.Next() })
	it.Reset(reflect.ValueOf(map[int]int{}))
	fmt.Println(it.Next())
	it.Reset(v)
	seen := 0
	for it.Next() {
		seen++
		clear(m)
	}
	fmt.Println(seen)
	m["z"] = 1
	v.Clear()
	s := []int{1, 2}
	reflect.ValueOf(s).Clear()
	fmt.Println(len(m), s)
	g := reflect.ValueOf(&s).Elem()
	g.Grow(10)
	fmt.Println(g.Len(), g.Cap() >= 12)
	try("grow", func() { g.Grow(-1) })
	try("clear", func() { reflect.ValueOf(1).Clear() })
}

// Values of pointers are equal where the pointers are.
func identity() {
	x := new(int)
	c := make(chan int)
	fmt.Println(reflect.ValueOf(x) == reflect.ValueOf(x), reflect.ValueOf(c) == reflect.ValueOf(c),
		reflect.ValueOf(x) == reflect.ValueOf(new(int)), reflect.ValueOf(x).Elem() == reflect.ValueOf(x).Elem(),
		reflect.ValueOf(&x).Elem().Elem() == reflect.ValueOf(x).Elem(),
		reflect.ValueOf(x).Elem().Addr() == reflect.ValueOf(x))
}

func main() {
	channels()
	selects()
	structs()
	fields()
	sequences()
	maps()
	identity()
}
