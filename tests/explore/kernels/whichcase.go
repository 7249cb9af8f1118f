// end: end of the program
// status: 3
// within: 100

package main

import "os"

func main() {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 2
	select {
	case <-a:
	case <-b:
		os.Exit(3)
	}
}
