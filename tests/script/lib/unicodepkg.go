// run
// SPDX-License-Identifier: MIT

// Packages unicode and unicode/utf8.
package main

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

func main() {
	for _, r := range "aZ5 _é世\n\u00a0Ⅷ½٣ßǅ\u0301\U0001F600\ufffd€" {
		fmt.Printf("%q", r)
		for _, f := range []func(rune) bool{unicode.IsLetter, unicode.IsDigit, unicode.IsNumber, unicode.IsSpace, unicode.IsUpper, unicode.IsLower, unicode.IsTitle, unicode.IsPunct, unicode.IsControl, unicode.IsPrint, unicode.IsGraphic, unicode.IsSymbol, unicode.IsMark} {
			if f(r) {
				fmt.Print("1")
			} else {
				fmt.Print("0")
			}
		}
		fmt.Printf(" %q %q %q\n", unicode.ToUpper(r), unicode.ToLower(r), unicode.ToTitle(r))
	}
	fmt.Println(unicode.Is(unicode.Han, '世'), unicode.Is(unicode.Latin, 'x'), unicode.In('λ', unicode.Greek, unicode.Cyrillic), unicode.Is(unicode.Cyrillic, 'Ж'))
	fmt.Println(string(unicode.SimpleFold('A')), string(unicode.SimpleFold('k')), unicode.MaxRune, unicode.ReplacementChar)
	s := "a\xffé\xe4\xb8世\U0001F600\xed\xa0\x80"
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		fmt.Print(r, ":", n, " ")
		i += n
	}
	fmt.Println()
	for b := []byte(s); len(b) > 0; {
		r, n := utf8.DecodeLastRune(b)
		fmt.Print(r, ":", n, " ")
		b = b[:len(b)-n]
	}
	fmt.Println()
	fmt.Println(utf8.RuneCountInString(s), utf8.ValidString(s), utf8.ValidString("héé"), utf8.RuneCount([]byte("世界")), utf8.Valid(nil))
	for _, r := range []rune{'a', 'é', '世', 0x1F600, -1, 0xd800, 0x110000} {
		buf := make([]byte, 4)
		n := utf8.EncodeRune(buf, r)
		fmt.Println(utf8.RuneLen(r), n, buf[:n], utf8.ValidRune(r), utf8.AppendRune([]byte("x"), r))
	}
	fmt.Println(utf8.FullRune([]byte{0xe4, 0xb8}), utf8.FullRuneInString("世"), utf8.RuneStart(0xb8), utf8.RuneStart('a'), utf8.UTFMax, utf8.RuneError == '\uFFFD')
	r, n := utf8.DecodeRune(nil)
	fmt.Println(r, n)
	letters := 0
	for c := rune(0); c < 0x3000; c++ {
		if unicode.IsLetter(c) {
			letters += int(c) % 7
		}
		if unicode.ToLower(unicode.ToUpper(c)) != unicode.ToLower(c) && c < 0x180 {
			fmt.Printf("%q ", c)
		}
	}
	fmt.Println(letters > 10000)
}
