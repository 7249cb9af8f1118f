// needs: net
// flags: -deadlocks
// status: 2
// says: some goroutines can never go on - deadlock!
// says: a circle: goroutine
// Somebody from outside may call the listener, but that would help nobody who
// waits for a lock.
package main

import (
	"net"
	"sync"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go l.Accept()
	var a, b sync.Mutex
	a.Lock()
	locked := make(chan bool)
	go func() {
		b.Lock()
		locked <- true
		a.Lock()
	}()
	<-locked
	b.Lock()
}
