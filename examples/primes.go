// SPDX-License-Identifier: MIT

// The first n primes from a chain of filters, each of them a goroutine that
// lets through what its prime does not divide.
//
//	vole run examples/primes.go 100
package main

import (
	"fmt"
	"os"
	"strconv"
)

func generate(out chan<- int) {
	for i := 2; ; i++ {
		out <- i
	}
}

func filter(in <-chan int, out chan<- int, prime int) {
	for n := range in {
		if n%prime != 0 {
			out <- n
		}
	}
}

func main() {
	n := 50
	if len(os.Args) > 1 {
		var err error
		if n, err = strconv.Atoi(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, "usage: primes [count]")
			os.Exit(2)
		}
	}
	ch := make(chan int)
	go generate(ch)
	for i := 1; i <= n; i++ {
		prime := <-ch
		fmt.Printf("%7d", prime)
		if i%10 == 0 {
			fmt.Println()
		}
		next := make(chan int)
		go filter(ch, next, prime)
		ch = next
	}
	fmt.Println()
}
