// end: partial deadlock
// within: 1
// says: goroutine 2 [chan receive (leaked)]:
// says: 2 other goroutines; GOTRACEBACK=all shows them
// says: who waits for whom:

package main

import "time"

// What is told of is the one goroutine that can never go on.
func main() {
	go func() { <-make(chan int) }()
	go time.Sleep(time.Hour)
	time.Sleep(time.Minute)
}
