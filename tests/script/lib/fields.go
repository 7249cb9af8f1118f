// run

// Fields of texts with few and many of them, some not ASCII, some not UTF-8.
package main

import (
	"bytes"
	"fmt"
	"strings"
)

func main() {
	for _, n := range []int{0, 1, 2, 31, 32, 33, 34, 100} {
		for _, sep := range []string{" ", "\t \n", "\u00a0", " \u2003\u0085"} {
			s := sep + strings.Repeat("wö\u00e9rd\xff"+sep, n) + "x"
			f := strings.Fields(s)
			b := bytes.Fields([]byte(s))
			ok := len(f) == n+1 && len(b) == n+1 && f[n] == "x"
			for i := 0; ok && i < n; i++ {
				ok = f[i] == "wö\u00e9rd\xff" && string(b[i]) == f[i] && cap(b[i]) == len(b[i])
			}
			fmt.Println(n, len(f), ok)
		}
	}
}
