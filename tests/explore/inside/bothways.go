// status: 0
// needs: net
// says: 1048576 bytes, then done
// One goroutine waits to read and another to write at the same connection, while
// others go on.
package main

import (
	"fmt"
	"io"
	"net"
	"sync"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	read := make(chan bool)
	go func() {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		<-read
		n, err := io.Copy(io.Discard, c)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(c, "%d bytes", n)
		c.Close()
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	var both sync.WaitGroup
	both.Add(2)
	go func() {
		defer both.Done()
		c.Write(make([]byte, 1<<20))
		c.(*net.TCPConn).CloseWrite()
	}()
	go func() {
		defer both.Done()
		b, err := io.ReadAll(c)
		if err != nil {
			panic(err)
		}
		fmt.Print(string(b))
	}()
	var mu sync.Mutex
	for range 200 {
		var done sync.WaitGroup
		done.Add(2)
		for range 2 {
			go func() {
				mu.Lock()
				mu.Unlock()
				done.Done()
			}()
		}
		done.Wait()
	}
	close(read)
	both.Wait()
	fmt.Println(", then done")
}
