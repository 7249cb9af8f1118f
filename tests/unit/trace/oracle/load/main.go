// SPDX-License-Identifier: MIT

// A program that does a little of all that a trace can show; usage:
// load TRACE ROUNDS [cpu].  With cpu, a CPU profile runs beside it.
package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"time"
)

var sink [][]byte

func seq(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func chans() {
	c := make(chan int)
	d := make(chan int, 4)
	go func() {
		for i := 0; i < 2000; i++ {
			c <- i
		}
		close(c)
	}()
	go func() {
		for v := range c {
			d <- v
		}
		close(d)
	}()
	for {
		select {
		case _, ok := <-d:
			if !ok {
				return
			}
		case <-time.After(time.Second):
		}
	}
}

func netw() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { io.Copy(c, c); c.Close() }()
		}
	}()
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				panic(err)
			}
			b := make([]byte, 64)
			for j := 0; j < 50; j++ {
				c.Write(b)
				io.ReadFull(c, b)
			}
			c.Close()
		}()
	}
	wg.Wait()
	l.Close()
}

func syscalls() {
	r, w, _ := os.Pipe()
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := 0; j < 200; j++ {
				f, _ := os.Open("/proc/self/status")
				io.Copy(io.Discard, f)
				f.Close()
			}
		}()
	}
	go func() { time.Sleep(5 * time.Millisecond); w.Close() }()
	io.ReadAll(r)
	wg.Wait()
}

func gcheavy() {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var keep [][]byte
			for j := 0; j < 30000; j++ {
				keep = append(keep, make([]byte, 1024))
				if len(keep) > 2000 {
					keep = nil
				}
			}
		}()
	}
	wg.Wait()
	runtime.GC()
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
}

func tasks() {
	ctx, t := trace.NewTask(context.Background(), "outer")
	defer t.End()
	var wg sync.WaitGroup
	for i := 0; i < 10; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c2, t2 := trace.NewTask(ctx, "inner")
			defer t2.End()
			trace.WithRegion(c2, "work", func() {
				trace.Logf(c2, "cat", "i=%d", i)
				r := trace.StartRegion(c2, "nested")
				time.Sleep(time.Millisecond)
				r.End()
			})
		}()
	}
	wg.Wait()
}

func coro() {
	next, stop := iter.Pull(seq(200))
	for i := 0; i < 100; i++ {
		next()
	}
	stop()
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	done := false
	go func() { mu.Lock(); done = true; cond.Broadcast(); mu.Unlock() }()
	mu.Lock()
	for !done {
		cond.Wait()
	}
	mu.Unlock()
	for i := 0; i < 100; i++ {
		runtime.Gosched()
	}
	go func() { select {} }()
}

func main() {
	f, _ := os.Create(os.Args[1])
	if len(os.Args) > 3 {
		pf, _ := os.Create("/dev/null")
		pprof.StartCPUProfile(pf)
	}
	trace.Start(f)
	n := 1
	fmt.Sscan(os.Args[2], &n)
	for i := 0; i < n; i++ {
		chans()
		netw()
		syscalls()
		gcheavy()
		tasks()
		coro()
	}
	trace.Stop()
	if len(os.Args) > 3 {
		pprof.StopCPUProfile()
	}
	f.Close()
}
