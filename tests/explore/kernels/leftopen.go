// end: none
// Each schedule leaves three sockets open; they are closed before the next one
// begins, or there would soon be no descriptors.
package main

import (
	"fmt"
	"net"
	"syscall"
)

func main() {
	few := syscall.Rlimit{Cur: 100, Max: 100}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		panic(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		fmt.Fprint(c, "x")
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
		panic(err)
	}
}
