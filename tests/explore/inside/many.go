// needs: net
// status: 0
// says: 20 answers
// What the system does between sockets takes its time, which decides nothing:
// who goes on is who waits for what is there, and there is room enough.
package main

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
)

// echo answers each connection with what it says, until nobody listens.
func echo(l net.Listener) {
	for c, err := l.Accept(); err == nil; c, err = l.Accept() {
		go func(c net.Conn) {
			io.Copy(c, c)
			c.Close()
		}(c)
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go echo(l)
	var wg sync.WaitGroup
	var right atomic.Int32
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				panic(err)
			}
			defer c.Close()
			text := strings.Repeat("x", 1+i*i*200)
			fmt.Fprint(c, text)
			c.(*net.TCPConn).CloseWrite()
			if b, err := io.ReadAll(c); err == nil && string(b) == text {
				right.Add(1)
			}
		}()
	}
	wg.Wait()
	l.Close()
	fmt.Println(right.Load(), "answers")
}
