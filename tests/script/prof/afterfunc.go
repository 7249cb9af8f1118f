// run
// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"os"
	"runtime/pprof"
	"strings"
	"time"
)

// What a timer starts is created by time.goFunc, in no goroutine.
func main() {
	var s strings.Builder
	done := make(chan bool)
	time.AfterFunc(0, func() {
		pprof.Lookup("goroutine").WriteTo(&s, 2)
		close(done)
	})
	<-done
	if !strings.Contains(s.String(), "\ncreated by time.goFunc\n\t") {
		fmt.Println(s.String())
		os.Exit(1)
	}
	fmt.Println("ok")
}
