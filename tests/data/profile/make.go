// SPDX-License-Identifier: MIT

// Makes the Go profiles of this folder:
//
//	go mod init profiles && go build -trimpath -o profiles . && ./profiles .
package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sort"
	"strings"
	"sync"
	"time"
)

var (
	keep [][]byte
	sink int
	text []string
)

//go:noinline
func spin(n int) int {
	x := n
	for i := 0; i < n; i++ {
		x = x*31 + i
	}
	return x
}

func small(n int) int { return spin(n) + 1 }

func recurse(depth, n int) int {
	if depth == 0 {
		return spin(n)
	}
	return recurse(depth-1, n) + small(n/4)
}

func sorting(n int) {
	text = text[:0]
	for i := 0; i < n; i++ {
		text = append(text, strings.Repeat("x", (i*7919)%97))
	}
	sort.Strings(text)
}

func Map[T, U any](in []T, f func(T) U) []U {
	var out []U
	for _, x := range in {
		out = append(out, f(x))
	}
	return out
}

func burn(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		sink += recurse(5, 20000)
		sorting(2000)
		sink += len(Map(text, func(s string) int { return spin(len(s) * 10) }))
	}
}

func cpu(path string, d time.Duration, labels bool) {
	f, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		panic(err)
	}
	if labels {
		for _, who := range []string{"anna", "ben"} {
			pprof.Do(context.Background(), pprof.Labels("user", who), func(context.Context) { burn(d / 2) })
			d = d * 2 / 3
		}
	} else {
		burn(d)
	}
	pprof.StopCPUProfile()
	f.Close()
}

func write(name, path string) {
	f, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	pprof.Lookup(name).WriteTo(f, 0)
	f.Close()
}

//go:noinline
func hold(n, size int) {
	for i := 0; i < n; i++ {
		keep = append(keep, make([]byte, size))
	}
}

//go:noinline
func waste(n, size int) {
	for i := 0; i < n; i++ {
		sink += len(make([]byte, size))
		keep[0] = make([]byte, size)
	}
}

func heap(before, after, allocs string) {
	hold(300, 10000)
	waste(500, 3000)
	runtime.GC()
	write("heap", before)
	hold(200, 20000)
	keep = keep[100:]
	Map(make([]int, 4000), func(i int) string { return strings.Repeat("y", i+50) })
	runtime.GC()
	write("heap", after)
	write("allocs", allocs)
}

func contention(block, mutex string) {
	runtime.SetBlockProfileRate(1)
	runtime.SetMutexProfileFraction(1)
	var mu sync.Mutex
	var wg sync.WaitGroup
	c := make(chan int)
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := 0; k < 20; k++ {
				mu.Lock()
				time.Sleep(200 * time.Microsecond)
				mu.Unlock()
			}
			c <- 1
		}()
	}
	for i := 0; i < 4; i++ {
		<-c
	}
	wg.Wait()
	write("block", block)
	write("mutex", mutex)
}

func main() {
	dir := os.Args[1]
	at := func(name string) string { return filepath.Join(dir, name+".pb.gz") }
	runtime.MemProfileRate = 4096
	heap(at("heap1"), at("heap2"), at("allocs"))
	contention(at("block"), at("mutex"))
	stop := make(chan bool)
	for i := 0; i < 7; i++ {
		go func() { <-stop }()
	}
	time.Sleep(10 * time.Millisecond)
	write("goroutine", at("goroutine"))
	cpu(at("cpu1"), 2*time.Second, false)
	cpu(at("cpu2"), 3*time.Second, true)
}
