// run
// tree
// concurrent: 10

// Package net from a tree of Go's sources, over a poller in Go.
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
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

func ask(l net.Listener, text string) {
	c, err := net.Dial(l.Addr().Network(), l.Addr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	fmt.Fprint(c, text)
	c.(interface{ CloseWrite() error }).CloseWrite()
	if b, err := io.ReadAll(c); string(b) != text || err != nil {
		fmt.Println("wrong answer", len(b), err)
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go serve(l)
	var wg sync.WaitGroup
	for i := 0; i < 50; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			ask(l, fmt.Sprintf("%*d", 1+i*i*100, i))
		}(i)
	}
	wg.Wait()

	c, _ := net.Dial("tcp", l.Addr().String())
	c.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err = c.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	_, err = c.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	c.SetReadDeadline(time.Time{})
	c.Write([]byte("x"))
	n, err := c.Read(make([]byte, 5))
	fmt.Println(n, err)
	done := make(chan error)
	go func() {
		_, err := c.Read(make([]byte, 1))
		done <- err
	}()
	c.SetReadDeadline(time.Now())
	fmt.Println(errors.Is(<-done, os.ErrDeadlineExceeded))
	c.SetReadDeadline(time.Time{})
	go func() {
		_, err := c.Read(make([]byte, 1))
		done <- err
	}()
	c.Close()
	fmt.Println(errors.Is(<-done, net.ErrClosed))
	l.Close()
	_, err = l.Accept()
	fmt.Println(errors.Is(err, net.ErrClosed))

	p, _ := net.ListenPacket("udp", "127.0.0.1:0")
	q, _ := net.Dial("udp", p.LocalAddr().String())
	q.Write([]byte("datagram"))
	b := make([]byte, 99)
	n, from, err := p.ReadFrom(b)
	fmt.Println(string(b[:n]), from.String() == q.LocalAddr().String(), err)

	dir, _ := os.MkdirTemp("", "sockets")
	defer os.RemoveAll(dir)
	u, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		fmt.Println(err)
		return
	}
	go serve(u)
	ask(u, "through the file system")
	u.Close()
	x, y := net.Pipe()
	go fmt.Fprint(x, "in memory")
	n, err = y.Read(b)
	fmt.Println(string(b[:n]), err)
	fmt.Println(net.ParseCIDR("10.1.2.3/8"))
}
