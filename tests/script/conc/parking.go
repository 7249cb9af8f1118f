// run
// concurrent
// SPDX-License-Identifier: MIT

// Every way to block, entered by many goroutines at once and left again.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

func main() {
	n := 12
	var wg sync.WaitGroup
	var mu sync.Mutex
	var rw sync.RWMutex
	cond := sync.NewCond(&mu)
	var inner sync.WaitGroup
	inner.Add(1)
	un := make(chan int)
	full := make(chan int, 1)
	full <- 0
	open := false
	quit := make(chan struct{})
	entered := 0
	kinds := map[string]func(){
		"recv": func() { <-un },
		"send": func() { full <- 1 },
		"select": func() {
			select {
			case <-un:
			case <-quit:
			}
		},
		"range": func() {
			for range un {
			}
		},
		"cond": func() {
			mu.Lock()
			entered++
			for !open {
				cond.Wait()
			}
			mu.Unlock()
		},
		"wg":    func() { inner.Wait() },
		"rlock": func() { rw.RLock(); rw.RUnlock() },
		"lock":  func() { rw.Lock(); rw.Unlock() },
		"sleep": func() { time.Sleep(3 * time.Millisecond) },
		"sched": func() {
			for i := 0; i < 20; i++ {
				runtime.Gosched()
			}
		},
	}
	counts := map[string]int{}
	var cm sync.Mutex
	rw.Lock()
	for name, f := range kinds {
		for i := 0; i < n; i++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				f()
				cm.Lock()
				counts[name]++
				cm.Unlock()
			}()
		}
	}
	for {
		mu.Lock()
		e := entered
		mu.Unlock()
		if e == n {
			break
		}
		runtime.Gosched()
	}
	runtime.GC()
	close(quit)
	rw.Unlock()
	inner.Done()
	mu.Lock()
	open = true
	mu.Unlock()
	cond.Broadcast()
	for i := 0; i < n+1; i++ {
		<-full
	}
	close(un)
	wg.Wait()
	fmt.Println(len(counts), counts)

	// Blocking system calls beside running goroutines.
	name := fmt.Sprintf("%s/vole-parking-%d", os.TempDir(), os.Getpid())
	defer os.Remove(name)
	var w sync.WaitGroup
	for i := 0; i < 4; i++ {
		w.Add(1)
		go func() {
			defer w.Done()
			f := fmt.Sprint(name, "-", i)
			for k := 0; k < 10; k++ {
				if err := os.WriteFile(f, []byte(fmt.Sprint(i, k)), 0o600); err != nil {
					fmt.Println(err)
				}
				b, err := os.ReadFile(f)
				if err != nil || string(b) != fmt.Sprint(i, k) {
					fmt.Println("read back", err, string(b))
				}
			}
			os.Remove(f)
		}()
	}
	w.Wait()
	fmt.Println("files done")
}
