// needs: net
// status: 0
// says: not yet: 0
// says: epoll: 1, what was under way: before, and behind
// says: 10 answers
// says: poll: 1, hello
// says: the same names: true
// says: the end: 1 0
// A program asks epoll and poll by itself for its connections to itself, with and
// without waiting, as libraries do that have a loop of events of their own.
package main

import (
	"fmt"
	"net"
	"syscall"
	"unsafe"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// connect is a connection, and another descriptor of its first end.
func connect() (fd int, a, b *net.TCPConn) {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	a = must(net.Dial("tcp", l.Addr().String())).(*net.TCPConn)
	b = must(l.Accept()).(*net.TCPConn)
	must(a.SyscallConn()).Control(func(old uintptr) { fd = must(syscall.Dup(int(old))) })
	return fd, a, b
}

func read(fd int) string {
	b := make([]byte, 100)
	return string(b[:must(syscall.Read(fd, b))])
}

func byEpoll() {
	fd, a, b := connect()
	ep := must(syscall.EpollCreate1(syscall.EPOLL_CLOEXEC))
	fmt.Fprint(b, "before, ")
	if s := read(fd); s != "before, " {
		panic(s)
	}
	check(syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, fd, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(fd)}))
	events := make([]syscall.EpollEvent, 4)
	fmt.Println("not yet:", must(syscall.EpollWait(ep, events, 0)))
	go fmt.Fprint(b, "x")
	if n := must(syscall.EpollWait(ep, events, -1)); n != 1 || int(events[0].Fd) != fd {
		panic(n)
	}
	read(fd)

	// What is under way when it is asked for.
	fd2, c, d := connect()
	fmt.Fprint(d, "before, ")
	check(syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, fd2, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(fd2)}))
	n := must(syscall.EpollWait(ep, events, -1))
	s := read(fd2)
	fmt.Fprint(d, "and behind")
	must(syscall.EpollWait(ep, events, -1))
	fmt.Printf("epoll: %d, what was under way: %s%s\n", n, s, read(fd2))

	// Package net goes on with the same.
	answers := 0
	go func() {
		one := make([]byte, 1)
		for n, _ := d.Read(one); n == 1; n, _ = d.Read(one) {
			d.Write([]byte{one[0] + 1})
		}
		d.Close()
	}()
	for i := range byte(10) {
		c.Write([]byte{i})
		must(syscall.EpollWait(ep, events, -1))
		if read(fd2)[0] == i+1 {
			answers++
		}
	}
	fmt.Println(answers, "answers")
	c.CloseWrite()
	syscall.Close(fd)
	a.Close()
	b.Close()
	syscall.Close(fd2)
	c.Close()
	syscall.Close(ep)
}

type pollFd struct {
	fd              int32
	events, revents int16
}

const pollIn = 1

func poll(p []pollFd, ms int) int {
	n, _, e := syscall.Syscall(syscall.SYS_POLL, uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)), uintptr(ms))
	if e != 0 {
		panic(e)
	}
	return int(n)
}

func byPoll() {
	fd, a, b := connect()
	fd2, c, d := connect()
	names := a.LocalAddr().String() + a.RemoteAddr().String()
	p := []pollFd{{fd: int32(fd), events: pollIn}, {fd: int32(fd2), events: pollIn}}
	if poll(p, 0) != 0 {
		panic("there is nothing yet")
	}
	go fmt.Fprint(d, "hello")
	n := poll(p, -1)
	if p[0].revents != 0 || p[1].revents != pollIn {
		panic(p)
	}
	fmt.Printf("poll: %d, %s\n", n, read(fd2))
	fmt.Println("the same names:", names == b.RemoteAddr().String()+b.LocalAddr().String() &&
		names == name(must(syscall.Getsockname(fd)))+name(must(syscall.Getpeername(fd))))
	go b.CloseWrite()
	n = poll(p, -1)
	fmt.Println("the end:", n, len(read(fd)))
	for _, c := range []net.Conn{a, b, c, d} {
		c.Close()
	}
	syscall.Close(fd)
	syscall.Close(fd2)
}

func name(a syscall.Sockaddr) string {
	in := a.(*syscall.SockaddrInet4)
	return (&net.TCPAddr{IP: in.Addr[:], Port: in.Port}).String()
}

func main() {
	byEpoll()
	byPoll()
}
