// An HTTP server for bench/run.py http: a short text, JSON that is read and
// written again, a file, and what memory is in use after a collection.  Prints
// its address, and ends when its standard input does.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
)

type item struct {
	Name  string            `json:"name"`
	Count int               `json:"count"`
	Tags  []string          `json:"tags"`
	More  map[string]string `json:"more"`
}

func hello(w http.ResponseWriter, r *http.Request) {
	io.WriteString(w, "hello, world\n")
}

func echo(w http.ResponseWriter, r *http.Request) {
	var v item
	if err := json.NewDecoder(r.Body).Decode(&v); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	v.Count++
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func memory(w http.ResponseWriter, r *http.Request) {
	var m runtime.MemStats
	runtime.GC()
	debug.FreeOSMemory()
	runtime.ReadMemStats(&m)
	fmt.Fprintln(w, m.HeapAlloc, m.StackInuse, runtime.NumGoroutine())
}

func main() {
	name := os.Args[1]
	mux := http.NewServeMux()
	mux.HandleFunc("/hello", hello)
	mux.HandleFunc("/json", echo)
	mux.HandleFunc("/memory", memory)
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, name)
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(l.Addr())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	http.Serve(l, mux)
}
