// end: deadlock
// within: 1
// needs: net
// says: all goroutines are asleep, and nobody calls from outside
// says: .closed@
// says: goroutine 1 waits at uncalled.go:28 (IO wait)
// says: waits at uncalled.go:26 (IO wait)
// All wait for others, at a listener and for a packet; they do not come.
package main

import (
	"fmt"
	"net"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	p, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		fmt.Println(p.ReadFrom(make([]byte, 1)))
	}()
	fmt.Println(l.Accept())
}
