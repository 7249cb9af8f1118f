// needs: net
// status: 0
// says: splice: invalid argument
// says: 300000 bytes
// How much splice() moves at a time is the system's choice: by a seed it is not
// to be had, and bytes go from one socket to another by way of the program.
package main

import (
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	var from, to [2]int
	check(syscall.Pipe(from[:]))
	check(syscall.Pipe(to[:]))
	_, err := syscall.Write(from[1], []byte("abc"))
	check(err)
	_, err = syscall.Splice(from[0], nil, to[1], nil, 3, 0)
	fmt.Println("splice:", err)

	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go func() {
		c, err := l.Accept()
		check(err)
		io.Copy(c, c)
		c.Close()
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	check(err)
	go func() {
		fmt.Fprint(c, strings.Repeat("x", 300000))
		c.(*net.TCPConn).CloseWrite()
	}()
	b, err := io.ReadAll(c)
	check(err)
	fmt.Println(len(b), "bytes")
}
