// run

// Conversions between strings and bytes that need no copy, and those that do.
package main

import (
	"fmt"
	"testing"
)

var b = make([]byte, 5, 5)
var calls int

// change gives back the old text of b, which it changes.
func change() string {
	old := string(b)
	b[0]++
	calls++
	return old
}

func reset() { copy(b, "hello") }

func compare() {
	reset()
	fmt.Println(string(b) == change(), string(b))
	reset()
	fmt.Println(change() == string(b), string(b))
	reset()
	fmt.Println(string(b) < change(), change() < string(b), string(b))
	reset()
	c := append([]byte(nil), b...)
	fmt.Println(string(b) == string(c), string(b) != string(c[1:]),
		string(b[1:]) <= string(c), string(b) == "hello")
	if string(b) == change() {
		fmt.Println("equal to what it was")
	}
}

func maps() {
	reset()
	m := map[string]int{}
	m[string(b)] = 1
	b[0] = 'j'
	m[string(b)]++
	m[string(b)] += 2
	b[0] = 'x'
	fmt.Println(m, len(m), m[string(b)], m["jello"])
	_, ok := m[string(b)]
	b[0] = 'j'
	v, ok2 := m[string(b)]
	fmt.Println(ok, v, ok2)
	delete(m, string(b))
	b[0] = 'h'
	fmt.Println(m, m[string(b)])
	a := map[any]int{"hello": 7}
	fmt.Println(a[string(b)])
	delete(a, string(b))
	fmt.Println(len(a))
	var nilmap map[string][]int
	fmt.Println(nilmap[string(b)] == nil)
}

func switches() {
	reset()
	switch string(b) {
	case "hello":
		b[0] = 'x'
		fmt.Println("hello, was", string(b))
		fallthrough
	case "xello":
		fmt.Println("on")
	default:
		fmt.Println("neither")
	}
	reset()
	switch string(b) {
	case change():
		fmt.Println("what it was")
	case string(b):
		fmt.Println("what it is")
	}
}

func joins() {
	reset()
	empty := ""
	s := empty + string(b)
	t := string(b) + empty
	u := "<" + string(b) + ">"
	w := "<" + string(b) + change()
	b[1] = 'X'
	fmt.Println(s, t, u, w, string(b))
	reset()
	s = "" + string(b)
	b[2] = 'Y'
	fmt.Println(s)
}

func copies() {
	reset()
	b2 := append(b[:1], string(b)...)
	fmt.Println(string(b), string(b2))
	b = make([]byte, 15, 15)
	copy(b, "hello")
	b2 = append(b[:1], string(b[:5])...)
	fmt.Println(string(b2))
	fmt.Println(copy(b[2:], string(b2)), string(b[:8]))
	b = b[:5:5]
	reset()
	fmt.Println(copy(b[1:], []byte("abcdefg")), string(b))
	fmt.Println(len(string(b)), len([]byte("four")), len([]byte(string(b))))
	func() {
		reset()
		to := make([]byte, 5)
		defer func() { fmt.Println(string(to)) }()
		defer copy(to, string(b))
		b[0] = 'Z'
	}()
}

func ranges() {
	s := "aé\xffz"
	for i, c := range []byte(s) {
		s = "changed"
		fmt.Print(i, ":", c, " ")
	}
	fmt.Println()
	reset()
	for i, r := range string(b) {
		b[len(b)-1-i] = '.'
		fmt.Print(i, string(r), " ")
	}
	fmt.Println()
	for i := range []byte("xyz") {
		fmt.Print(i)
	}
	fmt.Println()
}

type name string
type raw []byte

func named() {
	n := name("nn")
	r := raw("nn")
	m := map[name]int{"nn": 3}
	fmt.Println(name(r) == n, m[name(r)], string(r) == string(n), len(raw(n)))
}

var sink int
var bsink bool
var isink any

type pair struct {
	x int
	s string
}

func allocations() {
	reset()
	long := make([]byte, 100)
	text := string(long)
	m := map[string]int{text: 1}
	n := 5
	check := func(what string, f func()) {
		if got := testing.AllocsPerRun(20, f); got != 0 {
			fmt.Println(what, got)
		}
	}
	check("compare", func() { bsink = string(long) == text })
	check("less", func() { bsink = string(long) < string(b) })
	check("map", func() { sink += m[string(long)] })
	check("map ok", func() { _, bsink = m[string(long)] })
	check("delete", func() { delete(m, string(long)) })
	check("range", func() {
		for _, c := range []byte(text) {
			sink += int(c)
		}
	})
	check("switch", func() {
		switch string(long) {
		case "a", "b":
			sink++
		}
	})
	check("copy", func() { sink += copy(long, []byte(text)) })
	check("append", func() { long = append(long[:0], []byte(text)...) })
	check("len", func() { sink += len(string(long)) + len([]byte(text)) })
	check("constants", func() { isink = 1 << 40; isink = "text"; isink = 1.5; isink = 'x' })
	check("zeros", func() { isink = text[:0]; isink = pair{}; isink = []int(nil); isink = int8(n) })
}

func boxes() {
	list := []any{1, -1, 1 << 40, "s", "", 2.5, float32(2.5), int8(-3), true,
		uint16(65535), 'x', complex(1, 2), complex64(3), pair{}, [3]int{},
		uintptr(9), name("named")}
	for i, x := range list {
		fmt.Printf("%d %T %v %v\n", i, x, x, x == list[i])
	}
	m := map[any]int{1: 1, "s": 2, 2.5: 3, int8(-3): 4, pair{}: 5}
	fmt.Println(m[list[0]], m[list[3]], m[list[5]], m[list[7]], m[list[13]])
}

func main() {
	compare()
	maps()
	switches()
	joins()
	copies()
	ranges()
	named()
	boxes()
	allocations()
	fmt.Println(calls)
}
