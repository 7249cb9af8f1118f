// run
// SPDX-License-Identifier: MIT

// Indexes and bounds out of range, with and without a sign.
package main

import "fmt"

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

type big struct{ a, b, c, d, e int }

func main() {
	s := []int{1, 2, 3}
	var a [3]int
	pa := &a
	str := "abc"
	bs := []big{{}}
	u := uint(0)
	u64 := uint64(1) << 63
	up := uintptr(0)
	n := -1
	u8 := uint8(0)
	u32 := uint32(0)
	try(func() { println(s[u-1]) })
	try(func() { s[u-1] = 2 })
	try(func() { s[u-1]++ })
	try(func() { println(&s[u-1]) })
	try(func() { println(s[u64]) })
	try(func() { println(a[up-1]) })
	try(func() { a[u64] = 1 })
	try(func() { pa[u-1] = 1 })
	try(func() { println(pa[u-1]) })
	try(func() { println(str[u-1]) })
	try(func() { bs[u-1] = big{} })
	try(func() { println(bs[u-1].c) })
	try(func() { println(s[n]) })
	try(func() { println(a[n]) })
	try(func() { println(s[u8-1]) })
	try(func() { println(s[u32-1], s[n]) })
	try(func() { println(s[u-1], s[n]) })
	try(func() { println(s[n], s[u-1]) })
	try(func() { _ = s[u-1:] })
	try(func() { _ = s[:u-1] })
	try(func() { _ = s[:u8-1] })
	try(func() { _ = s[1:2:u-1] })
	try(func() { _ = s[1 : u-1 : 2] })
	try(func() { _ = s[u-1 : 2 : 2] })
	try(func() { _ = s[n:2:2] })
	try(func() { _ = s[1:n:2] })
	try(func() { _ = s[1:2:n] })
	try(func() { _ = str[u-1:] })
	try(func() { _ = str[:u-1] })
	try(func() { _ = str[u64:2] })
	try(func() { _ = a[:u-1] })
	try(func() { _ = pa[u-1:] })
	try(func() { a[u-1], s[n] = 1, 2 })
	var aa [3][3]int
	try(func() { aa[1][u-1] = 2 })
	try(func() { aa[u-1][1] = 2 })
	try(func() { a[u-1] += f() })
}

func f() int { return 1 }
