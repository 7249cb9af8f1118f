// needs: net/http
// status: 0
// says: 101 Switching Protocols
// says: early: early words
// says: server got: 40000 bytes, the last of them z
// says: client got: 60000 bytes, the last of them y
// says: then the end
// says: deadline: true
// says: late words: after all
// says: reset: true
// says: closed: true
// A handler takes its connection from the server, and both ends go on by
// themselves: both write at the same time, close one direction each, wait with a
// deadline, and one gives up with something unread.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var lines sync.Map // by the order in which they are printed

func say(n int, format string, a ...any) { lines.Store(n, fmt.Sprintf(format, a...)) }

// upgrade is the server's side of all of it.
func upgrade(w http.ResponseWriter, r *http.Request) {
	c, rw, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: own\r\nConnection: Upgrade\r\n\r\n")
	// What the client has sent with its request may be in the buffer already.
	say(1, "early: %s", strings.TrimSpace(must(rw.ReadString('\n'))))
	if r.URL.Path == "/rude" {
		c.Write([]byte("nobody reads this\n"))
		io.ReadFull(c, make([]byte, 1))
		return // with much that is unread
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range 60 {
			c.Write([]byte(strings.Repeat("y", 1000)))
		}
		c.(*net.TCPConn).CloseWrite()
	}()
	b := must(io.ReadAll(rw))
	say(2, "server got: %d bytes, the last of them %c", len(b), b[len(b)-1])
	wg.Wait()
}

func dial(s *httptest.Server, path string) (*net.TCPConn, *bufio.Reader) {
	c := must(net.Dial("tcp", s.Listener.Addr().String())).(*net.TCPConn)
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: here\r\nUpgrade: own\r\nConnection: Upgrade\r\n\r\nearly words\n", path)
	r := bufio.NewReader(c)
	resp := must(http.ReadResponse(r, nil))
	say(0, "%s", resp.Status)
	return c, r
}

func both(s *httptest.Server) {
	c, r := dial(s, "/")
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range 40 {
			fmt.Fprint(c, strings.Repeat("z", 1000))
			time.Sleep(time.Microsecond)
		}
		c.CloseWrite()
	}()
	b := must(io.ReadAll(r))
	wg.Wait()
	say(3, "client got: %d bytes, the last of them %c", len(b), b[len(b)-1])
	if n, err := r.Read(make([]byte, 1)); n == 0 && err == io.EOF {
		say(4, "then the end")
	}
	c.Close()
}

// late has a deadline that is over before anybody writes, and waits again.
func late() {
	go1, done := make(chan bool), make(chan bool)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, rw, _ := w.(http.Hijacker).Hijack()
		c.SetDeadline(time.Now().Add(10 * time.Millisecond))
		_, err := rw.ReadByte()
		say(5, "deadline: %v", errors.Is(err, os.ErrDeadlineExceeded))
		c.SetDeadline(time.Time{})
		go1 <- true
		say(6, "late words: %s", must(bufio.NewReader(c).ReadString('\n'))[:9])
		c.Close()
		done <- true
	}))
	c := must(net.Dial("tcp", s.Listener.Addr().String()))
	fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: here\r\n\r\n")
	<-go1
	fmt.Fprintln(c, "after all")
	<-done
	c.Close()
	s.Close()
}

func rude(s *httptest.Server) {
	c, r := dial(s, "/rude")
	c.Write(make([]byte, 100000))
	_, err := io.ReadAll(r)
	say(7, "reset: %v", errors.Is(err, syscall.ECONNRESET))
	c.Close()
	_, err = c.Write([]byte("x"))
	say(8, "closed: %v", errors.Is(err, net.ErrClosed))
}

func main() {
	s := httptest.NewServer(http.HandlerFunc(upgrade))
	both(s)
	late()
	rude(s)
	s.Close()
	for i := range 9 {
		line, _ := lines.Load(i)
		fmt.Println(line)
	}
}
