// needs: net/http
// status: 0
// says: 20 requests by HTTP/2.0 over 1 connection
// says: the sum of their bodies: 1330000
// says: stream: 0 1 2 3 4 5 6 7 8 9
// says: trailer: 10 lines
// says: canceled: true, and the handler knows: true
// says: deadline: true
// says: the connection goes on: 204 No Content
// says: shut down: <nil>, then refused: true
// Requests by HTTP/2 over TLS, many at a time over one connection: bodies that
// fill the windows, answers while the question is still being asked, a client
// that gives up, and a server that shuts down.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
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

var gaveUp = make(chan bool, 1)

func handle(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/echo":
		io.Copy(w, r.Body)
	case "/stream":
		w.Header().Set("Trailer", "Lines")
		in := bufio.NewScanner(r.Body)
		n := 0
		http.NewResponseController(w).Flush()
		for in.Scan() {
			fmt.Fprintln(w, in.Text())
			w.(http.Flusher).Flush()
			n++
		}
		w.Header().Set("Lines", fmt.Sprint(n, " lines"))
	case "/slow":
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		gaveUp <- errors.Is(r.Context().Err(), context.Canceled)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

func newServer(conns *sync.Map) *httptest.Server {
	s := httptest.NewUnstartedServer(http.HandlerFunc(handle))
	s.EnableHTTP2 = true
	s.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateNew {
			conns.Store(c.RemoteAddr().String(), true)
		}
	}
	s.StartTLS()
	return s
}

func size(m *sync.Map) (n int) {
	m.Range(func(_, _ any) bool { n++; return true })
	return n
}

func many(s *httptest.Server, conns *sync.Map) {
	// The first one makes the connection that all share.
	resp := must(s.Client().Get(s.URL))
	resp.Body.Close()
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum, protos := 0, map[string]int{}
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			body := strings.Repeat("x", 1000*i*7)
			resp := must(s.Client().Post(s.URL+"/echo", "text/plain", strings.NewReader(body)))
			b := must(io.ReadAll(resp.Body))
			resp.Body.Close()
			if string(b) != body {
				panic("another body")
			}
			mu.Lock()
			sum += len(b)
			protos[resp.Proto]++
			mu.Unlock()
		}()
	}
	wg.Wait()
	for p, n := range protos {
		fmt.Println(n, "requests by", p, "over", size(conns), "connection")
	}
	fmt.Println("the sum of their bodies:", sum)
}

// stream asks line by line, and waits for each answer.
func stream(s *httptest.Server) {
	r, w := io.Pipe()
	resp := must(s.Client().Post(s.URL+"/stream", "text/plain", r))
	in := bufio.NewScanner(resp.Body)
	fmt.Print("stream:")
	for i := range 10 {
		fmt.Fprintln(w, i)
		in.Scan()
		fmt.Print(" ", in.Text())
	}
	fmt.Println()
	w.Close()
	for in.Scan() {
	}
	fmt.Println("trailer:", resp.Trailer.Get("Lines"))
}

func giveUp(s *httptest.Server) {
	ctx, cancel := context.WithCancel(context.Background())
	resp := must(s.Client().Do(must(http.NewRequestWithContext(ctx, "GET", s.URL+"/slow", nil))))
	cancel()
	_, err := io.ReadAll(resp.Body)
	fmt.Printf("canceled: %v, and the handler knows: %v\n", errors.Is(err, context.Canceled), <-gaveUp)
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	// Before the answer begins, or after that.
	resp, err = s.Client().Do(must(http.NewRequestWithContext(ctx, "GET", s.URL+"/slow", nil)))
	if err == nil {
		_, err = io.ReadAll(resp.Body)
	}
	fmt.Println("deadline:", errors.Is(err, context.DeadlineExceeded))
	fmt.Println("the connection goes on:", must(s.Client().Get(s.URL)).Status)
}

func main() {
	var conns sync.Map
	s := newServer(&conns)
	many(s, &conns)
	stream(s)
	giveUp(s)
	at := s.Listener.Addr().String()
	s.Client().CloseIdleConnections()
	err := s.Config.Shutdown(context.Background())
	_, again := tls.Dial("tcp", at, &tls.Config{InsecureSkipVerify: true})
	fmt.Printf("shut down: %v, then refused: %v\n", err, errors.Is(again, syscall.ECONNREFUSED))
}
