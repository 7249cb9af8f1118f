// run
// concurrent
// SPDX-License-Identifier: MIT

// The prime sieve: a growing chain of filters.
package main

import "fmt"

func generate(ch chan<- int, stop <-chan bool) {
	for i := 2; ; i++ {
		select {
		case ch <- i:
		case <-stop:
			return
		}
	}
}

func filter(in <-chan int, out chan<- int, prime int, stop <-chan bool) {
	for {
		var i int
		select {
		case i = <-in:
		case <-stop:
			return
		}
		if i%prime != 0 {
			select {
			case out <- i:
			case <-stop:
				return
			}
		}
	}
}

func main() {
	stop := make(chan bool)
	ch := make(chan int)
	go generate(ch, stop)
	sum := 0
	for i := 0; i < 80; i++ {
		prime := <-ch
		sum += prime
		if i%8 == 0 {
			fmt.Print(prime, " ")
		}
		next := make(chan int)
		go filter(ch, next, prime, stop)
		ch = next
	}
	close(stop)
	fmt.Println(sum)
}
