// run
// SPDX-License-Identifier: MIT

// Elements of maps that are changed where they lie: of each size, with keys of
// each kind, in maps that grow, with what may not be found or may not be done.
package main

import (
	"fmt"
	"math"
)

type key struct {
	a int
	b string
}

func try(name string, f func()) {
	defer func() { fmt.Println(name, recover()) }()
	f()
}

//go:noinline
func count[K comparable](m map[K]int, keys []K) {
	for _, k := range keys {
		m[k]++
	}
}

//go:noinline
func sizes(n int) string {
	a, b, c := map[int]int8{}, map[int]uint16{}, map[int8]int32{}
	d, e := map[string]float32{}, map[float64]float64{}
	g := map[uint64]uint64{}
	for i := range n {
		a[i%7] += 100
		b[i%5] -= uint16(i)
		c[int8(i)] ^= int32(i * i)
		d[fmt.Sprint(i%3)] *= 2
		d[fmt.Sprint(i%3)] += 0.5
		e[float64(i%9)/2] -= 1.25
		g[uint64(i%11)<<60] |= 1 << (i & 63)
		g[uint64(i%11)<<60] &^= 1 << (i & 15)
		g[5] &= ^uint64(i)
		g[5]--
	}
	s := 0
	for k, v := range c {
		s += int(k) * int(v)
	}
	return fmt.Sprint(a, b, s, d, e, g)
}

type counts map[string]int

func (c counts) add(k string, n int) { c[k] += n }

func main() {
	for range 3 {
		fmt.Println(sizes(1000))
	}
	m := map[string]int{}
	var words []string
	for i := range 3000 {
		words = append(words, fmt.Sprint("w", i*i%701))
	}
	count(m, words)
	count(m, words[:10])
	fmt.Println(len(m), m["w0"], m["w1"], m["w4"])
	s := map[key]int{}
	count(s, []key{{1, "x"}, {2, "y"}, {1, "x"}, {1, string([]byte("x"))}})
	fmt.Println(s)
	in := map[any]int{}
	count(in, []any{1, "a", 1.5, 1, nil, [2]int{1, 2}, [2]int{1, 2}})
	fmt.Println(len(in), in[1], in[nil], in[[2]int{1, 2}])
	f := map[float64]int{}
	count(f, []float64{0, math.Copysign(0, -1), math.NaN(), math.NaN(), 1})
	fmt.Println(len(f), f[0])
	for k := range f {
		if k == 0 {
			fmt.Println(math.Signbit(k))
		}
	}
	c := counts{}
	c.add("x", 3)
	c.add("x", -5)
	c["y"] += len(c)
	c["z"] += c["x"] * c["none"]
	fmt.Println(c)

	var none map[string]int
	try("nil", func() { none["x"]++ })
	try("nil", func() { none["x"] += 2 })
	try("unhashable", func() { in[[]int{1}]++ })
	try("key", func() { in[func() {}] += 2 })
	try("right side", func() { var p *int; c["new"] += *p })
	try("index", func() { var a []int; c["new"] += a[len(c)] })
	try("division", func() { zero := len(none); c["x"] /= zero })
	try("division", func() { zero := len(none); c["gone"] /= zero })
	try("remainder", func() { zero := len(none); c["gone"] %= zero })
	fmt.Println(c, len(in))

	// One that is deleted and made again begins at zero.
	r := map[int]int{}
	for i := range 100 {
		r[i%4] += i
		if i%10 == 9 {
			delete(r, i%4)
		}
	}
	fmt.Println(r)
	clear(r)
	r[1]--
	fmt.Println(r)
	nested := map[string]map[int]int{"a": {}}
	for i := range 10 {
		nested["a"][i&1] += i
	}
	fmt.Println(nested)
	var arr [3]map[int]int
	arr[1] = map[int]int{}
	i := 0
	next := func() int { i++; return 1 }
	arr[next()][next()+i] += next() * 10
	arr[next()][i]++
	fmt.Println(arr, i)
	// While it is gone through.
	sum := map[int]int{1: 1, 2: 2, 3: 3}
	for k := range sum {
		sum[k] += 10 * k
	}
	fmt.Println(sum)
}
