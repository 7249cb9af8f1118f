// run
// SPDX-License-Identifier: MIT

// Type identity, aliases, assignability and local types.
package main

import "fmt"

type Int = int
type MyInt int
type IntSlice []int
type AliasFn = func(Int) Int
type Dir chan<- int
type (
	X struct{ n int }
	Y = X
	Z X
)

func (x X) Get() int { return x.n }

func takesSlice(s []int) int    { return len(s) }
func takesNamed(s IntSlice) int { return cap(s[:len(s):len(s)]) }
func send(c chan<- int, v int)  { c <- v }
func recv(c <-chan int) int     { return <-c }

type Temp float64

func (t Temp) String() string { return fmt.Sprintf("%.1f°", float64(t)) }

func scoped() string {
	type T struct{ a int }
	x := fmt.Sprintf("%T %v", T{1}, T{1})
	{
		type T string
		x += fmt.Sprintf(" %T %v", T("s"), T("s"))
	}
	return x
}

func shadow(int int) string {
	len := func(string) string { return "shadowed" }
	true := false
	nil := 5
	return fmt.Sprint(int, len("x"), true, nil)
}

func main() {
	var a Int = 5
	var b int = a
	var m MyInt = MyInt(b)
	fmt.Printf("%T %T %T %v\n", a, b, m, m+1)
	s := IntSlice{1, 2, 3}
	fmt.Println(takesSlice(s), takesNamed([]int{1, 2}), takesSlice(s[:1]))
	var f AliasFn = func(i int) int { return i * 2 }
	fmt.Println(f(4))
	c := make(chan int, 2)
	var d Dir = c
	send(d, 1)
	send(c, 2)
	fmt.Println(recv(c), recv(c), cap(d), len(c))
	var y Y = X{3}
	z := Z(y)
	fmt.Println(y.Get(), z.n, X(z).Get())
	fmt.Printf("%T %T %T\n", y, z, struct{ X }{})
	var t Temp = 36.6
	t += 0.4
	t++
	fmt.Println(t, -t, t*2, Temp(1)/3, []Temp{1, 2}, map[string]Temp{"k": 3})
	fmt.Printf("%v %s %.2f %d\n", t, t, t, int(t))
	fmt.Println(scoped())
	fmt.Println(shadow(9))
	var e1 interface{} = MyInt(1)
	var e2 interface{} = 1
	_, ok := e1.(int)
	_, ok2 := e2.(Int)
	fmt.Println(ok, ok2, e1 == e2, e1 == interface{}(MyInt(1)))
	var anon struct{ n int }
	var x X = anon
	anon = struct{ n int }{7}
	x = anon
	fmt.Println(x, x == anon)
	var fn func(a, b int) (c int) = func(x, y int) int { return x - y }
	fmt.Println(fn(5, 3))
	var arr [2]MyInt
	arr[1] = 3
	var n8 int8 = 5
	const k = 10
	fmt.Println(arr, n8*k, MyInt(k)+m, 'a'+n8)
	var r rune = 'x'
	var i32 int32 = r
	var by byte = 200
	var u8 uint8 = by
	fmt.Println(i32, u8, fmt.Sprintf("%T %T", r, by))
	if x := 5; x > 3 {
		x := "inner"
		fmt.Println(x)
	}
	a, q := 6, 7
	{
		a, q := q, a
		fmt.Println(a, q)
	}
	fmt.Println(a, q)
	_, _ = a, q
	var _ = b
	var iface interface {
		Get() int
	} = y
	fmt.Println(iface.Get(), iface.(X).n)
	var p1, p2 = 1, "two"
	var (
		g1     = p1 + 1
		g2, g3 = p2, 3.5
	)
	fmt.Println(g1, g2, g3)
}
