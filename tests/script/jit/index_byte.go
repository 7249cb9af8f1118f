// run
// SPDX-License-Identifier: MIT
package main

// Machine code looks for a byte itself: strings of all lengths, at all places in
// a page, with registers full of numbers meanwhile, and those that are long.

import (
	"fmt"
	"strings"
)

func slow(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// What lives through the call is as it was.
func sum(s string, c byte, n int) (int, float64) {
	a, b, d, e, f, g := 1, 2, 3, 4, 5, 6
	x, y, z := 0.5, 1.5, 2.5
	at := 0
	for i := 0; i < n; i++ {
		at += strings.IndexByte(s, c)
		a, b, d, e, f, g = b+i, d, e, f, g, a
		x, y, z = y+float64(i), z, x
	}
	return at + a + 2*b + 3*d + 5*e + 7*f + 11*g, x + 2*y + 3*z
}

// Of the byte's slot the lowest eight bits count.
func narrow(s string, i int) int {
	return strings.IndexByte(s, byte(i))
}

func parts(text, sep string) (n, bytes int) {
	for p := range strings.SplitSeq(text, sep) {
		n++
		bytes += len(p)
	}
	return
}

func lines(text string) (n, bytes int) {
	for l := range strings.Lines(text) {
		n++
		bytes += len(l)
		if l == "stop\n" {
			break
		}
	}
	return
}

func main() {
	buf := make([]byte, 3*4096)
	for i := range buf {
		buf[i] = byte('a' + i%7)
	}
	n, bad := 0, 0
	for off := 0; off < 64; off++ {
		for l := 0; l < 300; l += 1 + l/40 {
			from := 4096 - 40 + off
			buf[from+l] = 'X'
			all := string(buf)
			for _, cut := range []int{0, 1, 17} {
				s := all[from : from+l+cut]
				for _, c := range []byte{'X', 'g', 0xff} {
					n++
					if strings.IndexByte(s, c) != slow(s, c) {
						bad++
					}
				}
			}
			buf[from+l] = 'a'
		}
	}
	fmt.Println(n, bad)
	long := strings.Repeat("0123456789", 20)
	for _, s := range []string{"", "5", "abc5", long, long + "x", "x" + long} {
		fmt.Println(sum(s, 'x', 50))
		fmt.Println(sum(s, '5', 50))
	}
	fmt.Println(narrow("ab\x80cd", 0x180), narrow("ab\x80cd", -0x80), narrow("", 0))
	text := strings.Repeat("alpha beta\ngamma delta ", 40)
	fmt.Println(parts(text, " "))
	fmt.Println(parts(text, "a "))
	fmt.Println(parts(text, ""))
	fmt.Println(parts("", " "))
	fmt.Println(lines(text))
	fmt.Println(lines(text + "\nstop\n" + text))
	fmt.Println(lines("\n\n"))
}
