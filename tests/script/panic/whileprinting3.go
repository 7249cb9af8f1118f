// panic
// SPDX-License-Identifier: MIT

// Where the runtime cannot go on, it shows all goroutines, and where it keeps
// them.
package main

type text struct{}

func (*text) Error() string { panic("no text") }

var ready = make(chan bool)

func waits() {
	close(ready)
	select {}
}

func main() {
	go waits()
	<-ready
	panic(&text{})
}
