// needs: net
// status: 2
// says: blocked: hello
// says: packet: by and by
// says: all goroutines are asleep
// Who waits in the kernel for a connection of the program to itself lets the
// other end go on; and if nobody can ever write to it, that is a deadlock.
package main

import (
	"fmt"
	"net"
	"syscall"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// raw is another descriptor of the connection, which blocks, as it does itself
// from now on.
func raw(c syscall.Conn) (fd int) {
	must(c.SyscallConn()).Control(func(old uintptr) { fd = must(syscall.Dup(int(old))) })
	if err := syscall.SetNonblock(fd, false); err != nil {
		panic(err)
	}
	return fd
}

func main() {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	a := must(net.Dial("tcp", l.Addr().String())).(*net.TCPConn)
	b := must(l.Accept()).(*net.TCPConn)
	l.Close()
	fd := raw(a)
	go func() {
		b.Write([]byte("hello"))
	}()
	buf := make([]byte, 99)
	n := must(syscall.Read(fd, buf))
	fmt.Println("blocked:", string(buf[:n]))

	p := must(net.ListenPacket("udp", "127.0.0.1:0")).(*net.UDPConn)
	at := p.LocalAddr().String()
	pd := raw(p)
	p.Close()
	go func() {
		c := must(net.Dial("udp", at))
		c.Write([]byte("by and by"))
		c.Close()
	}()
	n, _, err := syscall.Recvfrom(pd, buf, 0)
	fmt.Println("packet:", string(buf[:n]), err)
	syscall.Close(pd)
	b.Read(buf)
}
