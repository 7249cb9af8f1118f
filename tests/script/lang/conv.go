// run
// SPDX-License-Identifier: MIT

// Conversions between numeric types, and between types of the same shape.
package main

import "fmt"

type Celsius float64
type Meters int
type Pt struct{ X, Y int }
type Pt2 struct {
	X int `tag:"x"`
	Y int
}
type Fn func(int) int
type Ch chan int
type Any interface{}

func main() {
	for _, v := range []int64{0, 1, -1, 127, 128, 255, 256, -129, 1 << 31, -1 << 31, 1<<32 + 5, 1<<63 - 1} {
		fmt.Println(v, int8(v), uint8(v), int16(v), uint16(v), int32(v), uint32(v), uint64(v))
	}
	for _, f := range []float64{0, 1.9, -1.9, 127.5, 1e9, -1e9, 1e15} {
		fmt.Println(f, int(f), int64(f), float32(f))
	}
	for _, u := range []uint64{0, 1 << 52, 1<<53 + 1, 1<<64 - 1, 1<<63 + 1025} {
		fmt.Println(float64(u), float32(u), float64(int64(u)))
	}
	var f = 3.99
	fmt.Println(int(f), int(-f), uint8(f), int(f+0.5), uint64(1.8e19))
	var i32 int32 = -5
	fmt.Println(uint32(i32), uint64(i32), int64(uint32(i32)), uint16(int8(i32)))
	fmt.Println(float32(0.1), float64(float32(0.1)), float64(float32(16777217)))
	c := Celsius(36.6)
	m := Meters(c)
	fmt.Printf("%v %v %T %T\n", c, m, c, m)
	p := Pt{1, 2}
	p2 := Pt2(p)
	pp := (*Pt2)(&p)
	pp.X = 10
	anon := struct{ X, Y int }(p2)
	fmt.Println(p, p2, anon, Pt(anon) == Pt{1, 2})
	p = anon
	fmt.Println(p)
	fn := Fn(func(x int) int { return x * 2 })
	var g func(int) int = fn
	fmt.Println(g(4), fn(5))
	ch := make(chan int, 1)
	var send chan<- int = ch
	var recv <-chan int = Ch(ch)
	send <- 3
	fmt.Println(<-recv)
	sl := []int{1, 2, 3, 4}
	arr := [3]int(sl)
	ap := (*[2]int)(sl[1:])
	ap[0] = 20
	arr[0] = 100
	fmt.Println(arr, *ap, sl, len((*[0]int)(sl)))
	func() {
		defer func() { fmt.Println(recover()) }()
		_ = [5]int(sl)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		_ = (*[9]int)(sl[2:])
	}()
	var a Any = 5
	var e interface{} = a
	fmt.Println(e.(int), a == e)
	fmt.Println(string([]byte{104, 105}), []byte("hi"), []rune("hi"), string(rune(0x263a)))
	var b byte = 'x'
	var r rune = rune(b)
	fmt.Println(b, r, string(r), uintptr(b), int(r)+1)
	const big = 1 << 40
	fmt.Println(int64(big), float32(big), uint8(big>>36))
	var idx8 uint8 = 200
	lookup := [256]int{200: 7}
	fmt.Println(lookup[idx8], lookup[int8(idx8&0x7f)])
	x := 1e100
	fmt.Println(float32(x), -float32(x))
	var i8 int8 = -1
	fmt.Println(uint8(i8)>>1, i8>>1, uint(uint8(i8)), uint64(i8)>>60)
	var u8 uint8 = 250
	u8 += 10
	fmt.Println(u8, u8-5, -u8, ^u8, int8(u8+124))
}
