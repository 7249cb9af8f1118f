// run

// Short copies between strings and bytes that nobody keeps are cells: each is
// one of its own all the same, and what is kept is not one.
package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

var (
	texts []string
	bytes [][]byte
	sink  int
	long  = strings.Repeat("long", 9)
)

func overwrite(n int) int {
	var a [20]int
	for i := range a[:] {
		a[i] = n
	}
	return a[n]
}

func sum(b []byte) (n int) {
	for _, c := range b {
		n += int(c)
	}
	return n
}

func size(s string) int          { return len(s) + int(s[0]) }
func tail(s string) string       { return s[1:] }
func keep(s string) string       { texts = append(texts, s); return s }
func keepBytes(b []byte) int     { bytes = append(bytes, b); return len(b) }
func change(b []byte) []byte     { b[0] = '*'; return b }
func joined(a, b string) string  { return a + b }
func returned(b []byte) string   { return string(b) }
func through(b []byte) string    { return tail(string(b)) }
func pointer(s string) *byte     { b := []byte(s); return &b[0] }
func boxed(b []byte) any         { return string(b) }
func inStruct(b []byte) struct{ s string } { return struct{ s string }{string(b)} }

// The bytes of one time round are seen in the next.
func rounds(list []string) (out string) {
	var last []byte
	for _, s := range list {
		b := []byte(s)
		if last != nil {
			out += string(last) + string(b) + " "
		}
		last = b
	}
	return out
}

func shared(s string) string {
	a, b := []byte(s), []byte(s)
	a[0] = '1'
	b[0] = '2'
	t := string(a)
	a[0] = '3'
	return t + string(a) + string(b)
}

// In the end there is room for more behind what is short.
func grown(s string) string {
	b := []byte(s)
	for i := range 40 {
		b = append(b, byte('a'+i%26))
	}
	return string(b[:len(s)+2]) + string(b[len(b)-2:])
}

func deferred(s string) {
	b := []byte(s)
	defer fmt.Println(string(b), len(b))
	defer keep(string(b))
	defer func(t string) { fmt.Println(t) }(string(b))
	b[0] = '-'
}

func sent(s string) string {
	ch := make(chan string, 1)
	go func(b string) { ch <- b + "!" }(string([]byte(s)))
	return <-ch
}

func kept(s string) {
	b := []byte(s)
	keep(string(b))
	keepBytes([]byte(s))
	m := map[string]int{string(b): 1}
	b[0] = '#'
	m[string(b)]++
	texts = append(texts, slices.Sorted(maps.Keys(m))...)
	texts = append(texts, returned(b), through(b), boxed(b).(string), inStruct(b).s)
	f := func() string { return string(b) }
	texts = append(texts, f(), joined(string(b), ""))
}

func allocations() {
	check := func(what string, f func()) {
		if n := testing.AllocsPerRun(50, f); n != 0 {
			fmt.Println(what, n)
		}
	}
	s, b := "some text", []byte("other text")
	check("bytes", func() { sink += sum([]byte(s)) })
	check("string", func() { sink += size(string(b)) })
	check("changed", func() { c := []byte(s); sink += sum(change(c)) })
	check("constant", func() { sink += sum([]byte("abc")) })
	check("loop", func() { for range 3 { sink += size(tail(string(b))) } })
}

func main() {
	for _, s := range []string{"abc", long, "exactly thirty-two bytes of text", "x"} {
		fmt.Println(rounds([]string{s, "b" + s[1:], s}), shared(s), grown(s))
		fmt.Println(sum([]byte(s)), size(string([]byte(s))), *pointer(s), sent(s))
		deferred(s)
		kept(s)
		fmt.Println(overwrite(7))
	}
	e := []byte("")
	fmt.Println(e == nil, len(e), string(e) == "", rounds([]string{"", "a", ""}))
	for i, s := range texts {
		if i%13 < 2 || len(s) < 4 {
			fmt.Print(s, " ")
		}
		sink += len(s)
	}
	fmt.Println(sink, len(bytes), string(bytes[0]), string(bytes[1]))
	allocations()
}
