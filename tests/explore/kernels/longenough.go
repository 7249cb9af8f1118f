// end: panic or fatal error
// within: 1000
// says: nil pointer dereference
// says: (a timer comes early: the clock jumps)
// says: status 2, a timer came 99

package main

import (
	"sync/atomic"
	"time"
)

type config struct{ name string }

func main() {
	var c atomic.Pointer[config]
	go func() {
		for i := 0; i < 5; i++ {
			time.Sleep(time.Millisecond)
		}
		c.Store(&config{"ready"})
	}()
	time.Sleep(time.Second) // surely it is there by now
	println(c.Load().name)
}
