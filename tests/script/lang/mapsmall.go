// run

package main

import "fmt"

// Elements that are smaller than a word, or larger, among others that differ:
// of each only its own bytes are read.

type few struct{ a, b int8 }

type odd [3]byte

type mixed struct {
	a int8
	s string
	f float32
}

func fill[K comparable, V any](n int, key func(int) K, elem func(int) V) map[K]V {
	m := map[K]V{}
	for i := range n {
		m[key(i)] = elem(i)
	}
	return m
}

func check[K, V comparable](name string, n int, key func(int) K, elem func(int) V) {
	m := fill(n, key, elem)
	bad, none := 0, 0
	var zero V
	for i := range 2 * n {
		v, ok := m[key(i)]
		if w := m[key(i)]; w != v {
			bad++
		}
		switch {
		case i < n && (!ok || v != elem(i)):
			bad++
		case i >= n && (ok || v != zero):
			none++
		}
	}
	fmt.Println(name, len(m), bad, none, m[key(n-1)], m[key(n)])
}

func word(i int) string { return fmt.Sprint("word", i*i) }

func main() {
	for _, n := range []int{1, 7, 9, 100, 2000} {
		number := func(i int) int { return i * 0x10001 }
		check("int8", n, word, func(i int) int8 { return int8(-i) })
		check("uint8", n, word, func(i int) uint8 { return uint8(^i) })
		check("int16", n, number, func(i int) int16 { return int16(-i * 77) })
		check("uint16", n, number, func(i int) uint16 { return uint16(^i) })
		check("int32", n, word, func(i int) int32 { return int32(-i * 0x12345) })
		check("uint32", n, number, func(i int) uint32 { return ^uint32(i) })
		check("int", n, word, func(i int) int { return -i })
		check("bool", n, number, func(i int) bool { return i%3 != 1 })
		check("float32", n, word, func(i int) float32 { return float32(-i) / 3 })
		check("float64", n, number, func(i int) float64 { return float64(-i) / 3 })
		check("few", n, word, func(i int) few { return few{int8(i), int8(-i)} })
		check("odd", n, number, func(i int) odd { return odd{byte(i), byte(-i), 255} })
		check("mixed", n, word, func(i int) mixed { return mixed{int8(-i), word(i), 0.5} })
		check("struct{}", n, word, func(i int) struct{} { return struct{}{} })
		check("any", n, word, func(i int) any { return int8(-i) })
		check("small keys", min(n, 100), func(i int) int8 { return int8(i - 100) }, func(i int) int8 { return int8(-i) })
		check("float keys", n, func(i int) float64 { return float64(i) / 7 }, func(i int) int8 { return int8(-i) })
		check("struct keys", n, func(i int) few { return few{int8(i >> 4), int8(i & 15)} }, func(i int) bool { return true })
	}
}
