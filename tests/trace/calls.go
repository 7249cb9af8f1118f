// SPDX-License-Identifier: MIT

// Reads a pipe that is written to now and then, and says how long the reads
// have taken, in nanoseconds.
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	go func() {
		for i := 0; i < 20; i++ {
			time.Sleep(2 * time.Millisecond)
			w.Write([]byte("x"))
		}
		w.Close()
	}()
	b := make([]byte, 1)
	var waited time.Duration
	for {
		start := time.Now()
		n, _ := r.Read(b)
		waited += time.Since(start)
		if n == 0 {
			break
		}
	}
	fmt.Println(waited.Nanoseconds())
}
