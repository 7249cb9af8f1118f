// run
// SPDX-License-Identifier: MIT

// What each verb takes of each input, and what is left: of each input and verb
// the first in full, and a number of those for all types.
package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"reflect"
	"strings"
)

func main() {
	for _, in := range []string{"12", "U+12", "U12", "+12", "-7", "0x1f", "0b12", "0o7", "08", "1_0", "true", "TRUE", "t", "tru", "0", "no", "x", "", " 5", "1.5p3", "1e+", "nan", "inf", "+Inf", "(1+2i)", "1+2i", "1i", "\"ab\"", "`r`", "a\nb", "99999999999999999999", "256", "é", "zz6", "6G", "abc"} {
		for _, verb := range []string{"%v", "%d", "%U", "%x", "%b", "%o", "%c", "%s", "%q", "%t", "%e", "%g", "%3d", "%5s", "a%d", "%z", "%%"} {
			all := fnv.New32()
			for k := 0; k < 8; k++ {
				r := strings.NewReader(in)
				var a int
				var b uint8
				var c string
				var d bool
				var e float64
				var f complex128
				var g []byte
				var h rune
				p := []any{&a, &b, &c, &d, &e, &f, &g, &h}[k]
				n, err := fmt.Fscanf(r, verb, p)
				rest, _ := io.ReadAll(r)
				text := fmt.Sprintf("%q %s: %d %v %v %q", in, verb, n, err,
					reflect.ValueOf(p).Elem().Interface(), rest)
				if k == 0 {
					fmt.Print(text)
				}
				all.Write([]byte(text))
			}
			fmt.Printf(" %x\n", all.Sum32())
		}
	}
}
