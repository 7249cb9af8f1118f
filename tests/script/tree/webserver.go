// run
// tree

// net/http and crypto/tls from a tree of Go's sources.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

func show(r *http.Response, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	fmt.Println(r.Status, r.Header.Get("Content-Type"), string(b), err)
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/path", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s %s", r.Method, r.URL.Path, r.URL.Query().Get("q"))
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
		b, _ := io.ReadAll(r.Body)
		w.Write(b)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	show(http.Get(s.URL + "/path?q=a+b"))
	show(http.Post(s.URL+"/echo", "text/x", strings.NewReader(strings.Repeat("0123456789", 3))))
	show(http.Get(s.URL + "/nowhere"))
	var wg sync.WaitGroup
	for i := 0; i < 20; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			text := strings.Repeat(fmt.Sprint(i), 5000)
			r, err := http.Post(s.URL+"/echo", "text/plain", strings.NewReader(text))
			if err != nil {
				fmt.Println(err)
				return
			}
			b, err := io.ReadAll(r.Body)
			r.Body.Close()
			if string(b) != text || err != nil {
				fmt.Println("wrong answer", i, err)
			}
		}(i)
	}
	wg.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, "GET", s.URL+"/slow", nil)
	_, err := http.DefaultClient.Do(req)
	fmt.Println(err != nil, ctx.Err())

	t := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Proto, " ", r.TLS.HandshakeComplete)
	}))
	defer t.Close()
	show(t.Client().Get(t.URL))
	h2 := httptest.NewUnstartedServer(t.Config.Handler)
	h2.EnableHTTP2 = true
	h2.StartTLS()
	defer h2.Close()
	show(h2.Client().Get(h2.URL))
}
