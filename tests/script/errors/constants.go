// errorcheck
// SPDX-License-Identifier: MIT

package main

type M int16

var a [1e100]byte // ERROR "array length 1e100 \(untyped float constant 1e\+100\) must be integer"
var a2 [1.5]byte // ERROR "array length 1\.5 \(untyped float constant\) must be integer"
var a3 [-1]byte // ERROR "invalid array length -1 \(untyped int constant\)"
var a4 [1 << 70]byte // ERROR "invalid array length 1 << 70 \(untyped int constant 1180591620717411303424\)"
var a5 [M(-1)]byte // ERROR "invalid array length M\(-1\) \(constant -1 of int16 type M\)"
var a6 ["x"]byte // ERROR "array length .x. \(untyped string constant\) must be integer"
var a7 [1e2]byte
var b = M(300) * M(200) // ERROR "M\(300\) \* M\(200\) \(constant 60000 of int16 type M\) overflows int16"
var b2 M = 40000 // ERROR "cannot use 40000 \(untyped int constant\) as M value in variable declaration \(overflows\)"
var b3 = -M(-32768) // ERROR "-M\(-32768\) \(constant 32768 of int16 type M\) overflows int16"
var b4 = M(1) << 15 // ERROR "M\(1\) << 15 \(constant 32768 of int16 type M\) overflows int16"
var c = uint8(1e100)
var c1 = uint8(1.5)
var c2 = uint8(300.0)
var c3 = M(1e30)
var c4 uint8 = 1e30
var c5 = string(1e3)
var c6 = int(1e400)
var c7 = M(2 + 0i)
var c8 = uint8(1e2i)
var c9 = uint8(-5.0)
var d nosuch

func main() {}
