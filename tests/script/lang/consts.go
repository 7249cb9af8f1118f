// run
// SPDX-License-Identifier: MIT

// Constants: arbitrary precision, iota, implicit repetition, default types.
package main

import "fmt"

const (
	Huge  = 1 << 300
	Small = Huge >> 298
	Third = 1.0 / 3
	Pi    = 3.14159265358979323846264338327950288419716939937510582097494459
)

type Weekday uint8

const (
	Sunday Weekday = iota
	Monday
	Tuesday
	_
	Thursday
)

const (
	_  = iota
	KB = 1 << (10 * iota)
	MB
	GB
)

const (
	a, b = iota, iota * 10
	c, d
	_, _
	e, f
)

const (
	x0 = "s"
	x1
	x2 = iota
	x3
	x4 = 'a' + iota
	x5
)

type Flags int

const (
	F1 Flags = 1 << iota
	F2
	F3
	All = F1 | F2 | F3
)

const typed int64 = 5
const cplx = 2i * 2i
const str = "con" + "cat"
const ln = len(str)
const arrlen = len([10]int{})
const boolean = Huge > 1<<299 && !(Small == 5)

func (w Weekday) String() string {
	return [...]string{"Sun", "Mon", "Tue", "Wed", "Thu"}[w]
}

func main() {
	fmt.Println(Small, Huge/(Huge-1) == 1, Huge>>290)
	fmt.Println(Sunday, Monday, Tuesday, Thursday, Thursday+0)
	fmt.Println(KB, MB, GB)
	fmt.Println(a, b, c, d, e, f)
	fmt.Println(x0, x1, x2, x3, x4, x5)
	fmt.Println(F1, F2, F3, All, All&^F2)
	fmt.Printf("%T %T %T %T %T %T\n", 1, 1.0, 'x', "s", 1i, true)
	fmt.Printf("%T %T %T %T\n", typed, cplx, typed*2, All)
	fmt.Println(cplx, real(cplx), str, ln, arrlen, boolean)
	fmt.Println(Third*3 == 1, Pi, float32(Pi))
	var r rune = 'a' + 1.0
	var u8 uint8 = 255.0
	var f64 float64 = 1 << 3
	var i = 10 / 4
	var fl = 10 / 4.0
	var mix = 'a' * 2
	var mixf = 'a' + 0.5
	fmt.Println(r, u8, f64, i, fl, mix, mixf)
	var s uint = 3
	var sh int64 = 1 << s
	var sf = uint8(1<<s + 0xf0)
	fmt.Println(sh, sf, 1.0<<3, len("\u00e9"), 0x1p-2, 0b101, 0o17, 1_000_000, 0x_ff)
	const big = 1e1000
	fmt.Println(big/1e999, 5.0 == 5, 7/2*2.0, 7/2.0*2)
	fmt.Println('\x41', '\u4e16', '\'', "\"\t\\", `raw\n`, '\377', "\xff\xfe" == "\377\376")
	const max = ^uint64(0)
	fmt.Println(uint64(max), ^0, -5%3, 5%-3, ^Flags(0))
	{
		const Pi = 3
		fmt.Println(Pi)
	}
	const inner = iota + 1
	fmt.Println(inner, real(3+4i)*imag(3+4i), complex(1, 2)*complex(0, 1))
}
