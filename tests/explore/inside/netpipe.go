// needs: net
// status: 0
// says: there and back: 65536 bytes, right
// says: net.Pipe deadline: true, TCP deadline: true
// says: both at once: 30 30
// says: the end comes through: true
// Bytes go from a pipe of package net, which has no buffer, through TCP and back:
// whoever is slower holds up all, and ends and deadlines are those of both.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// connect is a connection of TCP.
func connect() (a, b *net.TCPConn) {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	done := make(chan net.Conn)
	go func() { done <- must(l.Accept()) }()
	c := must(net.Dial("tcp", l.Addr().String()))
	return c.(*net.TCPConn), (<-done).(*net.TCPConn)
}

// bridge copies both ways until both have come to their end.
func bridge(p net.Conn, c *net.TCPConn, wg *sync.WaitGroup) {
	wg.Add(2)
	go func() {
		defer wg.Done()
		io.Copy(c, p)
		c.CloseWrite()
	}()
	go func() {
		defer wg.Done()
		io.Copy(p, c)
		p.Close()
	}()
}

func thereAndBack() {
	var wg sync.WaitGroup
	near, inner := net.Pipe()
	a, b := connect()
	bridge(inner, a, &wg)
	wg.Add(1)
	go func() {
		defer wg.Done()
		io.Copy(b, b)
		b.Close()
	}()
	text := bytes.Repeat([]byte("0123456789abcdef"), 4096)
	go func() {
		for k := 0; k < len(text); k += 1000 {
			near.Write(text[k:min(k+1000, len(text))])
		}
	}()
	got := make([]byte, len(text))
	must(io.ReadFull(near, got))
	fmt.Print("there and back: ", len(got), " bytes")
	if bytes.Equal(got, text) {
		fmt.Println(", right")
	}
	near.Close()
	wg.Wait()
	a.Close()
}

func deadlines() {
	p, q := net.Pipe()
	a, b := connect()
	var wg sync.WaitGroup
	late := [2]bool{}
	for i, c := range []net.Conn{p, a} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.SetReadDeadline(time.Now().Add(time.Duration(1+i) * 5 * time.Millisecond))
			_, err := c.Read(make([]byte, 1))
			late[i] = errors.Is(err, os.ErrDeadlineExceeded)
		}()
	}
	wg.Wait()
	fmt.Printf("net.Pipe deadline: %v, TCP deadline: %v\n", late[0], late[1])
	for _, c := range []net.Conn{p, q, a, b} {
		c.Close()
	}
}

// both answers 30 questions over each at the same time.
func both() {
	p, q := net.Pipe()
	a, b := connect()
	var wg sync.WaitGroup
	var n [2]int
	for i, pair := range [][2]net.Conn{{p, q}, {a, b}} {
		wg.Add(2)
		go func() {
			defer wg.Done()
			for k := range 30 {
				pair[0].Write([]byte{byte(k)})
				one := make([]byte, 1)
				must(io.ReadFull(pair[0], one))
				if one[0] == byte(k)+1 {
					n[i]++
				}
			}
			pair[0].Close()
		}()
		go func() {
			defer wg.Done()
			one := make([]byte, 1)
			for {
				if _, err := io.ReadFull(pair[1], one); err != nil {
					break
				}
				pair[1].Write([]byte{one[0] + 1})
			}
			pair[1].Close()
		}()
	}
	wg.Wait()
	fmt.Println("both at once:", n[0], n[1])
}

func end() {
	var wg sync.WaitGroup
	near, inner := net.Pipe()
	a, b := connect()
	bridge(inner, a, &wg)
	b.Close()
	_, err := near.Read(make([]byte, 1))
	near.Close()
	wg.Wait()
	fmt.Println("the end comes through:", err == io.EOF)
}

func main() {
	thereAndBack()
	deadlines()
	both()
	end()
}
