// panic
// SPDX-License-Identifier: MIT

package main

func send(c chan<- int) {
	for i := 0; ; i++ {
		c <- i
	}
}

func main() {
	c := make(chan int, 3)
	close(c)
	send(c)
}
