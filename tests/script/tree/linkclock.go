// run
// SPDX-License-Identifier: MIT

// The runtime's clock by a name of its own, beside a package that has another
// way to it.
package main

import (
	"fmt"
	"net"
	"time"
	_ "unsafe"
)

//go:noescape
//go:linkname nanotime runtime.nanotime
func nanotime() int64

func main() {
	a := nanotime()
	c, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	c.(*net.TCPListener).SetDeadline(time.Now().Add(time.Millisecond))
	_, err = c.Accept()
	fmt.Println(err != nil, nanotime() > a)
}
