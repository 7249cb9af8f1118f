// needs: net
// status: 0
// says: answers: 40
// says: half closed: 100000 bytes
// says: deadline: true
// says: packets: 25, each whole
// says: from a socket without a name: hello
// says: too long for a packet: true
// says: gone: true true
// Connections and packets over sockets of Unix, which are the system's.
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var dir = must(os.MkdirTemp("", "unix"))

func at(name string) string { return filepath.Join(dir, name) }

func streams() {
	l := must(net.Listen("unix", at("s")))
	var servers, clients sync.WaitGroup
	servers.Add(1)
	go func() {
		defer servers.Done()
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			servers.Add(1)
			go func() {
				defer servers.Done()
				io.Copy(c, c)
				c.Close()
			}()
		}
	}()
	var right atomic.Int32
	for i := range 8 {
		clients.Add(1)
		go func() {
			defer clients.Done()
			c := must(net.Dial("unix", l.Addr().String()))
			defer c.Close()
			for k := range 5 {
				text := strings.Repeat("x", 1+i*k*100)
				fmt.Fprint(c, text)
				b := make([]byte, len(text))
				must(io.ReadFull(c, b))
				if string(b) == text {
					right.Add(1)
				}
			}
		}()
	}
	clients.Wait()
	fmt.Println("answers:", right.Load())
	c := must(net.Dial("unix", l.Addr().String())).(*net.UnixConn)
	go func() {
		fmt.Fprint(c, strings.Repeat("y", 100000))
		c.CloseWrite()
	}()
	fmt.Println("half closed:", len(must(io.ReadAll(c))), "bytes")
	c.Close()
	c = must(net.Dial("unix", l.Addr().String())).(*net.UnixConn)
	c.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	fmt.Println("deadline:", errors.Is(err, os.ErrDeadlineExceeded))
	c.Close()
	l.Close()
	servers.Wait()
}

func packets() {
	name := &net.UnixAddr{Name: at("d"), Net: "unixgram"}
	p := must(net.ListenUnixgram("unixgram", name))
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			own := &net.UnixAddr{Name: at(fmt.Sprint("d", i)), Net: "unixgram"}
			c := must(net.DialUnix("unixgram", own, name))
			defer c.Close()
			b := make([]byte, 2000)
			for k := range 5 {
				must(c.Write([]byte(strings.Repeat(string(rune('a'+i)), 1+k*300))))
				if n := must(c.Read(b)); n != 1+k*300 {
					panic(n)
				}
			}
		}()
	}
	whole := 0
	b := make([]byte, 2000)
	for range 25 {
		n, from, err := p.ReadFromUnix(b)
		if err != nil {
			panic(err)
		}
		if strings.Count(string(b[:n]), string(b[:1])) == n {
			whole++
		}
		must(p.WriteToUnix(b[:n], from))
	}
	wg.Wait()
	fmt.Printf("packets: %d, each whole\n", whole)
	c := must(net.DialUnix("unixgram", nil, name))
	must(c.Write([]byte("hello")))
	n, from, err := p.ReadFromUnix(b)
	if from == nil || from.Name == "" {
		fmt.Println("from a socket without a name:", string(b[:n]))
	}
	_, err = c.Write(make([]byte, 10<<20))
	fmt.Println("too long for a packet:", errors.Is(err, syscall.EMSGSIZE))
	p.Close()
	_, err = c.Write([]byte("x"))
	_, again := net.DialUnix("unixgram", nil, name)
	fmt.Println("gone:", errors.Is(err, syscall.ECONNREFUSED), again != nil)
	c.Close()
}

func main() {
	defer os.RemoveAll(dir)
	streams()
	packets()
}
