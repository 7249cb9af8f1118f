// run
// SPDX-License-Identifier: MIT

// Arrays longer than 2^31, of elements that take no room.
package main

func at(p *[1 << 33]struct{}, i int)     { p[i] = struct{}{}; println("ok", i) }
func at2(p *[1<<32 + 10]struct{}, i int) { p[i] = struct{}{}; println("ok", i) }
func at3(p *[1 << 31]struct{}, i int)    { _ = p[i]; println("ok", i) }

type huge struct {
	a [1 << 33]byte
	b int
}

func field(p *huge) (n int) {
	defer func() { println(recover() != nil); n = 1 }()
	return p.b
}

func run(f func()) {
	defer func() {
		if e := recover(); e != nil {
			println(e.(error).Error())
		}
	}()
	f()
}

func main() {
	var a [1 << 33]struct{}
	var b [1<<32 + 10]struct{}
	var c [1 << 31]struct{}
	println(len(a), len(b), len(c))
	run(func() { at(&a, 5) })
	run(func() { at(&a, 1<<33) })
	run(func() { at2(&b, 11) })
	run(func() { at2(&b, 1<<32+10) })
	run(func() { at3(&c, 1<<31-1) })
	run(func() { at3(&c, 1<<31) })
	run(func() { s := c[:]; println(len(s), cap(s[5:])) })
	run(func() {
		n := 0
		for range b {
			n++
			if n > 3 {
				break
			}
		}
		println(n)
	})
	run(func() { var s []struct{} = make([]struct{}, 1<<33); println(len((*[1 << 33]struct{})(s))) })
	run(func() { var s []struct{} = make([]struct{}, 5); println(len((*[1<<32 + 5]struct{})(s))) })
	println(field(nil))
}
