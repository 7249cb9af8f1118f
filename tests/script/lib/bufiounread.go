// run
// SPDX-License-Identifier: MIT

// What can be put back after what.
package main

import (
	"bufio"
	"fmt"
	"strings"
)

func main() {
	for _, in := range []string{"", "a", "é", "ab\xff"} {
		r := bufio.NewReader(strings.NewReader(in))
		for k := 0; k < 6; k++ {
			r1, n, err := r.ReadRune()
			e1 := r.UnreadByte()
			b, e2 := r.ReadByte()
			e3 := r.UnreadRune()
			_, e4 := r.ReadByte()
			_, _, e5 := r.ReadRune()
			e6 := r.UnreadRune()
			e7 := r.UnreadByte()
			_, e8 := r.ReadSlice('x')
			fmt.Println(r1, n, err, e1, b, e2, e3, e4, e5, e6, e7, e8, r.UnreadByte(), r.Buffered())
		}
	}
}
