// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"time"
)

func main() {
	const n = 1000000
	a, b := make(chan int), make(chan int)
	go func() {
		for v := range a {
			b <- v + 1
		}
		close(b)
	}()
	start := time.Now()
	v := 0
	for i := 0; i < n; i++ {
		a <- v
		v = <-b
	}
	d := time.Since(start)
	close(a)
	<-b
	fmt.Println(v)
	println("ns/op", d.Nanoseconds()/(2*n))
}
