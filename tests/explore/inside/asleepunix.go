// needs: net
// status: 2
// says: all goroutines are asleep - deadlock!
// Nobody writes to the other end of a connection of Unix, which is the
// program's own, as whoever listened for it was.
package main

import (
	"net"
	"os"
	"path/filepath"
)

func main() {
	dir, err := os.MkdirTemp("", "asleep")
	if err != nil {
		panic(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		panic(err)
	}
	a, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		panic(err)
	}
	b, err := l.Accept()
	if err != nil {
		panic(err)
	}
	l.Close()
	os.RemoveAll(dir)
	go a.Read(make([]byte, 1))
	b.Read(make([]byte, 1))
}
