// run
// SPDX-License-Identifier: MIT

// White space of all kinds between fields, of strings and bytes.
package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

func main() {
	for _, s := range []string{"", " a b\tc\nd\ve\ff\rg ", "\u0085x\u00a0y\u2003z\u3000", "a\x00b\x08c\x0ed\x1fe \xff f", "é è"} {
		fmt.Printf("%q\n", slices.Collect(strings.FieldsSeq(s)))
		for w := range bytes.FieldsSeq([]byte(s)) {
			fmt.Printf("%q ", w)
		}
		fmt.Println(slices.Equal(slices.Collect(strings.FieldsSeq(s)), strings.Fields(s)))
	}
}
