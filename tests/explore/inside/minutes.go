// SPDX-License-Identifier: MIT

// status: 2
// says: 182 seconds
// says: dump: goroutine 2 [chan receive, 3 minutes]:
// says: goroutine 1 [chan receive, 2 minutes]:
// says: goroutine 2 [chan receive, 5 minutes]:

// How long goroutines have waited is virtual time, as all else, and so is the
// runtime's own clock; the collector is the one that notes since when.

package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"
	_ "unsafe" // for go:linkname
)

//go:linkname nanotime runtime.nanotime
func nanotime() int64

func main() {
	never := make(chan int)
	go func() { <-never }()
	runtime.Gosched()
	began := nanotime()
	time.Sleep(time.Second)
	runtime.GC()
	time.Sleep(3*time.Minute + time.Second)
	fmt.Println((nanotime()-began)/int64(time.Second), "seconds")
	buf := make([]byte, 1<<16)
	text := string(buf[:runtime.Stack(buf, true)])
	_, text, _ = strings.Cut(text, "\n\n")
	text, _, _ = strings.Cut(text, "\n")
	fmt.Println("dump:", text)
	go func() {
		time.Sleep(time.Second)
		runtime.GC()
		time.Sleep(2*time.Minute + time.Second)
	}()
	<-never
}
