// SPDX-License-Identifier: MIT

// Does a little of all that an execution trace can tell of, and writes the
// trace to the file that is its argument.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"runtime/trace"
	"sync"
	"time"
)

var sink [][]byte

func pingPong(n int) {
	a, b := make(chan int), make(chan int)
	go func() {
		for v := range a {
			b <- v + 1
		}
		close(b)
	}()
	for i := 0; i < n; i++ {
		a <- i
		<-b
	}
	close(a)
}

func contend(wg *sync.WaitGroup, mu *sync.Mutex, cond *sync.Cond) {
	defer wg.Done()
	for i := 0; i < 200; i++ {
		mu.Lock()
		cond.Broadcast()
		runtime.Gosched()
		mu.Unlock()
	}
}

func allocate(n int) {
	for i := 0; i < n; i++ {
		sink = append(sink, make([]byte, 4096))
		if len(sink) > 500 {
			sink = nil
		}
	}
}

func echo() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return
	}
	defer ln.Close()
	go func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		buf := make([]byte, 64)
		for {
			n, err := c.Read(buf)
			if err != nil {
				return
			}
			time.Sleep(100 * time.Microsecond)
			c.Write(buf[:n])
		}
	}()
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		return
	}
	defer c.Close()
	buf := make([]byte, 64)
	for i := 0; i < 20; i++ {
		fmt.Fprintf(c, "line %d\n", i)
		c.Read(buf)
	}
}

func annotate() {
	for i := 0; i < 10; i++ {
		ctx, task := trace.NewTask(context.Background(), "request")
		trace.WithRegion(ctx, "parse", func() {
			trace.Log(ctx, "size", fmt.Sprint(i))
			time.Sleep(50 * time.Microsecond)
		})
		trace.WithRegion(ctx, "answer", func() { allocate(10) })
		task.End()
	}
}

func main() {
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := trace.Start(f); err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go contend(&wg, &mu, cond)
	}
	waiting := make(chan bool)
	go func() {
		mu.Lock()
		close(waiting)
		cond.Wait()
		mu.Unlock()
	}()
	<-waiting
	pingPong(2000)
	allocate(30000)
	echo()
	annotate()
	for i := 0; i < 50; i++ {
		os.ReadFile("/proc/self/stat")
	}
	runtime.GC()
	mu.Lock()
	cond.Broadcast()
	mu.Unlock()
	wg.Wait()
	select {
	case <-time.After(5 * time.Millisecond):
	case <-make(chan int):
	}
	trace.Stop()
	f.Close()
}
