// run

package main

import (
	"fmt"
	"runtime"
	"strings"
	"unicode/utf8"
)

// Characters of strings of all lengths, right ones and wrong ones of each kind.

var parts = []string{
	"a", "zz", "\x00", "\x7f", "ä", "\u0080", "\u07ff", "\u0800", "€", "\uffff", "\U00010000", "😀", "\U0010ffff",
	"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xdf", "\xc2a", "\xdf\xc0", "\xe0\x80\x80", "\xe0\xa0",
	"\xed\xa0\x80", "\xef\xbf", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80", "\xf4\x90\x80\x80", "\xf5", "\xff", "\xfe\xff",
	"eight ab", "\xf4\x8f\xbf\xbf", "\xe2\x82", "\xe2\x28\xa1",
}

func check(s string) (sum uint64) {
	r := []rune(s)
	n := 0
	for _, c := range s {
		if n >= len(r) || r[n] != c {
			fmt.Printf("%q: %d\n", s, n)
			return 0
		}
		sum = sum*1000003 + uint64(c)
		n++
	}
	if n != len(r) || n != utf8.RuneCountInString(s) || n != utf8.RuneCount([]byte(s)) || cap(r) < n {
		fmt.Printf("%q: %d, not %d\n", s, len(r), n)
	}
	for _, c := range r[:cap(r)][n:] {
		if c != 0 {
			fmt.Printf("%q: behind the end %x\n", s, c)
		}
	}
	if t := string(r); utf8.ValidString(s) && t != s {
		fmt.Printf("%q: back %q\n", s, t)
	}
	return sum + uint64(len(r))
}

var used []int32

// use leaves memory behind that is not zero.
func use(n int) {
	for range 20 {
		used = make([]int32, n+1)
		for i := range used {
			used[i] = -1
		}
	}
	if n%50 == 0 {
		runtime.GC()
	}
}

func main() {
	var sum uint64
	for _, a := range parts {
		sum = sum*31 + check(a)
		for _, b := range parts {
			sum = sum*31 + check(a+b)
			for _, c := range parts {
				sum = sum*31 + check(a+b+c)
			}
		}
	}
	fmt.Println(sum, check(""))
	x := uint32(1)
	for n := range 300 {
		var b strings.Builder
		for b.Len() < n {
			x = x*1664525 + 1013904223
			b.WriteString(parts[int(x>>8)%len(parts)])
		}
		s := b.String()
		use(n)
		sum = sum*31 + check(s) + check(s[:n]) + check(strings.Repeat("x", n)) + check(strings.Repeat("ü", n))
	}
	fmt.Println(sum)
	big := strings.Repeat(strings.Join(parts, ""), 1000)
	fmt.Println(check(big), len([]rune(big)))
}
