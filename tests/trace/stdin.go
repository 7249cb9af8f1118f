// SPDX-License-Identifier: MIT

// A trace, into the file that is the argument, begins while a goroutine waits
// for standard input; it goes on and stops again before the goroutine that
// has begun the trace gives up its processor.
package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime/trace"
	"time"
)

func main() {
	back, never := make(chan bool, 1), make(chan bool)
	go func() {
		os.Stdin.Read(make([]byte, 1))
		back <- true
		<-never
	}()
	time.Sleep(30 * time.Millisecond)
	fmt.Println("up")
	var b bytes.Buffer
	trace.Start(&b)
	for len(back) == 0 {
	}
	time.Sleep(10 * time.Millisecond)
	trace.Stop()
	os.WriteFile(os.Args[1], b.Bytes(), 0666)
}
