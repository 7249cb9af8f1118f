// run
// SPDX-License-Identifier: MIT

// Where an instruction's short form just does not fit, or a value does not
// fill its slots.
package main

type odd struct {
	a uint8
	b [13]uint8
	c uint8
	d [3]uint16
	e uint8
}

func thirteen(k uint8) [13]uint8 {
	return [13]uint8{k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7, k + 8,
		k + 9, k + 10, k + 11, k + 12}
}

func three(k uint16) [3]uint16 { return [3]uint16{k, k << 8, k<<8 | k} }

// Parts of structs in the frame, at any byte.
func parts() {
	var x odd
	x.a = 0xaa
	x.b = thirteen(100)
	x.c = 0xcc
	x.d = three(0x7f)
	x.e = 0xee
	println(x.a, x.b[0], x.b[6], x.b[7], x.b[8], x.b[9], x.b[12], x.c)
	println(x.d[0], x.d[1], x.d[2], x.e)
	y := x.b
	println(y == thirteen(100), x.b == y, y[6], y[7], y[8], y[12])
	x.b = thirteen(1)
	println(x.a, x.b[0], x.b[12], x.c, y[0], x == odd{}, x.d == three(0x7f))
	type inner struct {
		a uint8
		b struct{ p, q, r uint8 }
		c [2]struct{ u, v uint32 }
	}
	var z inner
	z.b.q = 7
	z.c[1].v = 1 << 31
	z.b = struct{ p, q, r uint8 }{1, z.b.q, 3}
	w := z.c
	println(z.a, z.b.p, z.b.q, z.b.r, z.c[0].u, z.c[1].u, w[1].v, w[0].v)
}

func shortest(a int, b int16, c int32, u uint16) {
	println(a-(-32768), a-(-32767), a+32767, a+(-32768), a*(-32768))
	println(a&^(-32768), a&^32767, a|(-32768), a^(-32768), a&(-32768))
	println(b-(-32768), b+32767, b*(-1), b/(-1), b%7)
	println(c-(-32768), c-32767, c*32767, c|(-32768))
	println(u-32768, u+32768, u*3, u&^0x8000, u^0xffff)
	println(a/32767, a/32768, a%32768, a%(-5), a/(-5))
}

func narrow(a, b int8, c, d int16, e, f int32, g, h int64) {
	println(a/b, c/d, e/f, g/h)
	println(a%b, c%d, e%f, g%h)
	println(-a, -c, -e, -g, a*a, c*c, e*e, g*g)
	println(a-1, c-1, e-1, g-1, a<<1, c<<1, e<<1, g<<1)
}

func convert(f float64, g float32) {
	println(int8(f), uint8(f), int16(f), uint16(f), int64(f))
	println(int8(g), uint8(g), int16(g), uint16(g), int64(g))
}

// The operands of the left side are those from before the assignment.
func stable() {
	m := map[string]int{}
	k := "a"
	m[k], k = 1, "b"
	println(m["a"], m["b"], k)
	k, m[k] = "c", 2
	println(m["b"], m["c"], k)
	delete(m, "c")
	s := []int{0, 0, 0}
	i := 0
	s[i], i = 5, 2
	println(s[0], s[2], i)
	t := s
	t[1], t = 6, nil
	println(s[1], len(t))
	i, s[i] = 0, 9
	t, s, s[1] = s, nil, 4
	println(t[2], t[1], len(s))
	n := m
	n["c"], n = 7, nil
	println(m["c"], len(n))
	a := [3]int{}
	i, a[i] = 1, 8
	println(a[2], a[1], i)
	type node struct {
		v    int
		next *node
	}
	p := &node{}
	q := p
	p.v, p.next, p = 3, &node{v: 4}, nil
	println(q.v, q.next.v, p == nil)
	p, q.v, q = q, 5, nil
	println(p.v, q == nil)
	var x any = "x"
	mm := map[any][]int{}
	mm[x], x = []int{1}, "y"
	println(len(mm["x"]), len(mm["y"]))
}

func main() {
	parts()
	shortest(12345, 12345, 12345, 12345)
	shortest(-5, -5, -5, 65531)
	narrow(-128, -1, -32768, -1, -1<<31, -1, -1<<63, -1)
	convert(100.75, -100.75)
	convert(-3, 3)
	stable()
}
