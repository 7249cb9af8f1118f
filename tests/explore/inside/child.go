// needs: net
// outside: a child
// status: 0
// says: before, a child
// says: behind
// says: end
// says: true true
// A child process gets an end of a connection of the program to itself, which
// is the kernel's from then on, with all that was under way in it.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func main() {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	for _, late := range []bool{false, true} {
		a := must(net.Dial("tcp", l.Addr().String())).(*net.TCPConn)
		var b net.Conn
		if !late {
			b = must(l.Accept())
		}
		f := must(a.File())
		if err := syscall.SetNonblock(int(f.Fd()), false); err != nil {
			panic(err)
		}
		cmd := exec.Command("sh", "-c", "read x; echo $x, a child; read y; echo $y; read z; echo end $z")
		if late {
			cmd = exec.Command("cat")
		} else {
			fmt.Fprintln(b, "before")
		}
		cmd.Stdin, cmd.Stdout = f, f
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		f.Close()
		if late {
			b = must(l.Accept())
		}
		fmt.Println(a.LocalAddr().String() == b.RemoteAddr().String(),
			a.RemoteAddr().String() == b.LocalAddr().String())
		a.Close()
		fmt.Fprintln(b, "behind", strings.Repeat("x", 10000))
		b.(*net.TCPConn).CloseWrite()
		text := string(must(io.ReadAll(b)))
		fmt.Println(len(text), text)
		if err := cmd.Wait(); err != nil {
			panic(err)
		}
		b.Close()
	}
	l.Close()
	os.Exit(0)
}
