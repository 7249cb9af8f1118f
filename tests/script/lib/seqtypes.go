// run
// SPDX-License-Identifier: MIT

// Sequences of packages strings and bytes are of package iter's types, and go
// into what takes such.
package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

func main() {
	fmt.Println(slices.Collect(strings.SplitSeq("a,b,c", ",")), slices.Sorted(strings.FieldsSeq("z y x")))
	fmt.Printf("%T %T\n", strings.Lines(""), bytes.SplitSeq(nil, nil))
	for f := range bytes.FieldsFuncSeq([]byte("a1b2"), func(r rune) bool { return r < 'a' }) {
		fmt.Printf("%s ", f)
	}
	fmt.Println()
}
