// SPDX-License-Identifier: MIT

// Two goroutines hand a number back and forth while an execution trace goes to
// the file that is the first argument; the second says how often.
package main

import (
	"fmt"
	"os"
	"runtime/trace"
	"strconv"
)

func main() {
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := trace.Start(f); err != nil {
		panic(err)
	}
	a, b := make(chan int), make(chan int)
	go func() {
		for v := range a {
			b <- v + 1
		}
		close(b)
	}()
	v := 0
	for i := 0; i < n; i++ {
		a <- v
		v = <-b
	}
	close(a)
	<-b
	trace.Stop()
	if err := f.Close(); err != nil {
		panic(err)
	}
	fmt.Println(v)
}
