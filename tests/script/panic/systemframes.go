// panic
// env: GOTRACEBACK=system
// SPDX-License-Identifier: MIT

// With the runtime's frames the last of each stack is runtime.goexit; what
// the program itself asks for does not have them.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

var ready = make(chan bool)

func waits() {
	ready <- true
	select {}
}

func deep(n int) {
	if n > 0 {
		deep(n - 1)
		return
	}
	ready <- true
	<-make(chan int)
}

func deepest() { deep(3) }

func asks() {
	buf := make([]byte, 1<<16)
	for _, s := range []string{string(debug.Stack()),
		string(buf[:runtime.Stack(buf, false)]),
		string(buf[:runtime.Stack(buf, true)])} {
		fmt.Println(strings.Contains(s, "main.asks"),
			strings.Contains(s, "runtime.goexit"),
			strings.Contains(s, "runtime.main"),
			strings.Count(s, "\n\ngoroutine"))
	}
}

func main() {
	go waits()
	go deepest()
	<-ready
	<-ready
	asks()
	panic("ends")
}
