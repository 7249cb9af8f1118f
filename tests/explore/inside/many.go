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

func serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			io.Copy(c, c)
			c.Close()
		}()
	}
}

func ask(addr, text string) bool {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		panic(err)
	}
	defer c.Close()
	fmt.Fprint(c, text)
	c.(*net.TCPConn).CloseWrite()
	b, err := io.ReadAll(c)
	return err == nil && string(b) == text
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go serve(l)
	var wg sync.WaitGroup
	var right atomic.Int32
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if ask(l.Addr().String(), strings.Repeat("x", 1+i*i*200)) {
				right.Add(1)
			}
		}()
	}
	wg.Wait()
	l.Close()
	fmt.Println(right.Load(), "answers")
}
