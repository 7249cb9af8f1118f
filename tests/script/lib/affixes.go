// run
// SPDX-License-Identifier: MIT

// Prefixes and suffixes: longer, as long as, equal to, and shorter than the
// text, in strings and bytes.
package main

import (
	"bytes"
	"fmt"
	"strings"
)

func main() {
	texts := []string{"", "g", "go", "og", "gog", "gogo", "\u4e16\u754c", "\u754c"}
	for _, s := range texts {
		for _, x := range texts {
			p, okp := strings.CutPrefix(s, x)
			q, okq := strings.CutSuffix(s, x)
			fmt.Printf("%q %q: %t %t %q %q %q %t %q %t", s, x, strings.HasPrefix(s, x), strings.HasSuffix(s, x),
				strings.TrimPrefix(s, x), strings.TrimSuffix(s, x), p, okp, q, okq)
			b, y := []byte(s), []byte(x)
			bp, bokp := bytes.CutPrefix(b, y)
			bq, bokq := bytes.CutSuffix(b, y)
			fmt.Println(bytes.HasPrefix(b, y) == strings.HasPrefix(s, x), bytes.HasSuffix(b, y) == strings.HasSuffix(s, x),
				string(bytes.TrimPrefix(b, y)) == strings.TrimPrefix(s, x), string(bytes.TrimSuffix(b, y)) == strings.TrimSuffix(s, x),
				string(bp) == p, bokp == okp, string(bq) == q, bokq == okq)
		}
	}
}
