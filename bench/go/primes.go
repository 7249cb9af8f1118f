// SPDX-License-Identifier: MIT

package main

import "fmt"

func generate(ch chan<- int) {
	for i := 2; ; i++ {
		ch <- i
	}
}

func filter(in <-chan int, out chan<- int, prime int) {
	for {
		i := <-in
		if i%prime != 0 {
			out <- i
		}
	}
}

func main() {
	ch := make(chan int)
	go generate(ch)
	prime := 0
	for i := 0; i < 1000; i++ {
		prime = <-ch
		next := make(chan int)
		go filter(ch, next, prime)
		ch = next
	}
	fmt.Println(prime)
}
