// end: none
// needs: net
// All wait, but a child process has the other end of a connection.
package main

import (
	"io"
	"net"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		panic(err)
	}
	own, other := os.NewFile(uintptr(pair[0]), "own"), os.NewFile(uintptr(pair[1]), "other")
	c, err := net.FileConn(own)
	if err != nil {
		panic(err)
	}
	own.Close()
	child := exec.Command("sh", "-c", "sleep .01; echo hello")
	child.Stdout = other
	if err := child.Start(); err != nil {
		panic(err)
	}
	other.Close()
	b, err := io.ReadAll(c)
	if err != nil || string(b) != "hello\n" {
		panic(string(b))
	}
	if err := child.Wait(); err != nil {
		panic(err)
	}
}
