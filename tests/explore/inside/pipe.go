// status: 0
// says: 3000000 bytes
// A pipe from one goroutine to another, which both of them fill up.
package main

import (
	"fmt"
	"io"
	"os"
	"sync"
)

func main() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	var writers sync.WaitGroup
	for range 3 {
		writers.Add(1)
		go func() {
			defer writers.Done()
			for range 10 {
				w.Write(make([]byte, 100000))
			}
		}()
	}
	go func() {
		writers.Wait()
		w.Close()
	}()
	n, err := io.Copy(io.Discard, r)
	fmt.Println(n, "bytes", err)
}
