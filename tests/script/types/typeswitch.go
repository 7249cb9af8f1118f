// run
// SPDX-License-Identifier: MIT

// Type switches over every kind of case.
package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

type I interface{ m() }
type A struct{ n int }
type P struct{ n int }
type Str string
type Fn func(int) int

func (A) m()  {}
func (*P) m() {}

func kind(v interface{}) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case int, int64:
		return fmt.Sprintf("int-ish %T %v", x, x)
	case float64:
		return fmt.Sprint("float ", x*2)
	case string:
		return "string " + strings.ToUpper(x)
	case Str:
		return "Str " + string(x[1:])
	case []int:
		return fmt.Sprint("slice ", len(x), cap(x) >= len(x))
	case map[string]int:
		return fmt.Sprint("map ", x["k"])
	case [2]bool:
		return fmt.Sprint("array ", x[1])
	case func():
		x()
		return "func()"
	case Fn:
		return fmt.Sprint("Fn ", x(20))
	case chan int:
		return fmt.Sprint("chan ", cap(x))
	case <-chan int:
		return "recv chan"
	case *int:
		*x++
		return fmt.Sprint("*int ", *x)
	case struct{ a, b int }:
		return fmt.Sprint("anon struct ", x.a+x.b)
	case *P:
		if x == nil {
			return "nil *P"
		}
		return fmt.Sprint("*P ", x.n)
	case I:
		return fmt.Sprintf("I %T", x)
	case error:
		return "error " + x.Error()
	case io.Reader:
		return "reader"
	case interface{ Foo() }:
		return "unreachable"
	case **int, []string, bool:
		return fmt.Sprintf("several %T", x)
	default:
		return fmt.Sprintf("default %T", x)
	}
}

func noVar(v interface{}) (n int) {
	switch v.(type) {
	case int:
		n = 1
		if v == 5 {
			break
		}
		n = 2
	case string, []byte:
		n = 3
	}
	return
}

func withInit(vs ...interface{}) (out string) {
	for i := range vs {
		switch v := vs[len(vs)-1-i]; v := v.(type) {
		case int:
			out += fmt.Sprint("i", v+1, " ")
			continue
		case string:
			func() { out += "s" + v + " " }()
		case fmt.Stringer:
			out += "S" + v.String() + " "
		}
		out += "; "
	}
	return
}

type st struct{}

func (st) String() string { return "st" }

func isNilIface(i I) string {
	switch i := i.(type) {
	case nil:
		return "nil iface"
	case *P:
		return fmt.Sprint("P ", i == nil)
	case A:
		return fmt.Sprint("A ", i.n)
	}
	return "?"
}

func main() {
	n := 41
	pn := &n
	ch := make(chan int, 3)
	for _, v := range []interface{}{
		nil, 1, int64(2), 1.25, "abc", Str("xyz"), []int{1}, map[string]int{"k": 5},
		[2]bool{false, true}, func() { fmt.Print("called ") }, Fn(func(i int) int { return i + 2 }),
		func(int) int { return 0 }, ch, (<-chan int)(ch), (chan<- int)(ch), pn,
		struct{ a, b int }{3, 4}, (*P)(nil), &P{7}, A{1}, &A{2}, errors.New("err"),
		strings.NewReader("x"), &pn, []string{}, true, int8(3), uint(4), 2i, 'r', [3]int{},
		struct{}{}, byte(1), []interface{}{1}, P{1},
	} {
		fmt.Println(kind(v))
	}
	fmt.Println(noVar(5), noVar(6), noVar("x"), noVar([]byte{}), noVar(1.5), noVar(nil))
	fmt.Println(withInit(1, "two", st{}, 4.0, 5))
	fmt.Println(isNilIface(nil), isNilIface((*P)(nil)), isNilIface(A{3}))
	var e error
	switch e.(type) {
	case nil:
		fmt.Println("nil error")
	default:
		fmt.Println("?")
	}
	type local struct{ x int }
	var v interface{} = local{1}
	{
		type local struct{ x int }
		_, ok := v.(local)
		fmt.Println("other local type:", ok)
	}
	_, ok := v.(local)
	fmt.Println("same local type:", ok)
}
