// end: data race
// within: 20
// status: 3
// race
// env: GORACE=halt_on_error=1:exitcode=3
// says: WARNING: DATA RACE
// says: GORACE=halt_on_error=1:exitcode=3 vole run -deadlocks -race -sched-seed

package main

import "os"

// The first race ends it: what comes after would end it otherwise.
func main() {
	x := 0
	done := make(chan bool)
	go func() { x++; done <- true }()
	x++
	<-done
	os.Exit(4)
}
