// run
// SPDX-License-Identifier: MIT

// Strings, bytes and runes: indexing, slicing, conversion, comparison.
package main

import "fmt"

type S string
type B []byte
type R []rune

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

func main() {
	s := "héllo, 世界\x00\xffend"
	fmt.Println(len(s), s[1], s[2], s[len(s)-1])
	fmt.Printf("%q %+q %x % X\n", s, s, s[:4], s[:4])
	fmt.Println([]byte(s[:5]), []rune(s))
	fmt.Println(string([]rune{65, 0x4e16, -1, 0x110000, 0xd800}) == "A世\uFFFD\uFFFD\uFFFD")
	fmt.Println(string(rune(65)), string(rune(0x1F600)), reverse("añb世c"))
	b := []byte("abc")
	t := string(b)
	b[0] = 'X'
	fmt.Println(t, string(b), string(b[:0]) == "")
	c := []byte(t)
	c[1] = 'Y'
	fmt.Println(t, string(c))
	fmt.Println("a" < "b", "a" < "ab", "Z" < "a", "" < "a", "abc" == "ab"+"c", "é" > "z")
	sub := s[7:]
	fmt.Println(sub[:3] == "世", s[3:3] == "", s[len(s):] == "")
	var acc string
	for i := 0; i < 10; i++ {
		acc += string(rune('a'+i)) + "-"
	}
	fmt.Println(acc, len(acc))
	ms, mb, mr := S("named"), B("bytes"), R("rünes")
	fmt.Println(ms+"!", string(mb), string(mr), S(mb), []byte(ms)[0], len(mr))
	for i, r := range ms {
		fmt.Print(i, string(r))
	}
	fmt.Println()
	n := copy(b, "hello")
	b = append(b, " world"...)
	b = append(b, s[:1]...)
	fmt.Println(n, string(b))
	m := map[string]int{}
	key := []byte("key")
	m[string(key)]++
	key[0] = 'h'
	m[string(key)]++
	m[string([]byte{'k', 'e', 'y'})]++
	fmt.Println(m)
	switch string(key) {
	case "hey":
		fmt.Println("switch on conversion")
	}
	const cs = "constant"
	fmt.Println(cs[3], cs[1:4], len(cs), len(cs[2:]))
	raw := `back\slash
and "quotes"`
	fmt.Println(len(raw), raw)
	fmt.Println("\a\b\f\n\r\t\v\\\"" == "\x07\x08\x0c\x0a\x0d\x09\x0b\x5c\x22")
	bad := "a\xc3\x28\xe2\x82z"
	for i, r := range bad {
		fmt.Print(i, ":", r, " ")
	}
	fmt.Println(len([]rune(bad)))
	x := "one" + "two"
	y := x
	x += "three"
	fmt.Println(x, y, x > y)
	var zero string
	fmt.Println(zero == "", len(zero), zero+"x")
	fmt.Println(min("pear", "apple", "fig"), max("a", "b"))
	func() {
		defer func() { fmt.Println(recover()) }()
		i := 100
		_ = s[i]
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		i := 5
		_ = s[i:2]
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		i := 500
		_ = s[:i]
	}()
}
