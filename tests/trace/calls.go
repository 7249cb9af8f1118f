// SPDX-License-Identifier: MIT

// Reads a pipe that is written to now and then, by calls that hold a thread, and
// says how long the reads have taken, in nanoseconds.
package main

import (
	"fmt"
	"syscall"
	"time"
)

func main() {
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		panic(err)
	}
	go func() {
		for i := 0; i < 20; i++ {
			time.Sleep(2 * time.Millisecond)
			syscall.Write(p[1], []byte("x"))
		}
		syscall.Close(p[1])
	}()
	b := make([]byte, 1)
	var waited time.Duration
	for {
		start := time.Now()
		n, _ := syscall.Read(p[0], b)
		waited += time.Since(start)
		if n == 0 {
			break
		}
	}
	fmt.Println(waited.Nanoseconds())
}
