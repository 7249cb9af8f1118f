// run
// SPDX-License-Identifier: MIT

// Names in //line directives are taken as they are.
package main

import (
	"fmt"
	"runtime"
	"strings"
)

func at() {
	_, file, line, ok := runtime.Caller(1)
	if strings.HasPrefix(file, "/") && !strings.HasPrefix(file, "/abs/") {
		file = "an absolute name"
	}
	fmt.Println(file, line, ok)
}

func main() {
	at()
//line other.go:10
	at()
//line sub/other.y:20:3
	at()
//line :30:1
	at()
//line /abs/x.go:40
	at()
	/*line in.go:50*/ at(); /*line c:/w/in.go:60*/ at()
}
