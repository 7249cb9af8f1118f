// run
// SPDX-License-Identifier: MIT

// Package regexp: the text of a reader of characters, which need not be what a
// string can have.
package main

import (
	"fmt"
	"io"
	"regexp"
)

// units has characters that are as long as the reader says.
type units struct {
	runes []rune
	size  int
}

func (u *units) ReadRune() (rune, int, error) {
	if len(u.runes) == 0 {
		return 0, 0, io.EOF
	}
	r := u.runes[0]
	u.runes = u.runes[1:]
	return r, u.size, nil
}

func main() {
	re := regexp.MustCompile(`(?P<first>\w+)\s+(?P<second>\w+)`)
	half := regexp.MustCompile(`\x{d800}(.)|$`)
	fmt.Println(half.FindReaderSubmatchIndex(&units{[]rune{'a', 0xd800, 0xdc00, 'b'}, 1}), half.FindReaderIndex(&units{[]rune{0xd800}, 1}), half.MatchReader(&units{}))
	for size := 0; size < 4; size++ {
		fmt.Println(re.FindReaderSubmatchIndex(&units{[]rune("éé ab cde ü"), size}), re.FindReaderIndex(&units{[]rune("ab cd"), size}))
	}
}
