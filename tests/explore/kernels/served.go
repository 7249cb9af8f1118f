// end: partial deadlock
// within: 200
// needs: net
// says: some goroutines can never go on, as nobody calls from outside
// says: .closed@
// says: goroutine 1 waits at served.go:47 (chan receive)
// A server tells of its first client by a channel, if somebody waits for that
// already.  Whoever has not come so far waits for ever, and the server for the
// next client.
package main

import (
	"io"
	"net"
)

func serve(l net.Listener, first chan string) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		b, _ := io.ReadAll(c)
		c.Close()
		select {
		case first <- string(b):
		default:
		}
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	first := make(chan string)
	go serve(l, first)
	go func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			panic(err)
		}
		c.Write([]byte("hello"))
		c.Close()
	}()
	if <-first != "hello" {
		panic("somebody else")
	}
	l.Close()
}
