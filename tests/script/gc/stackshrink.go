// run
// concurrent: 15
// SPDX-License-Identifier: MIT

// Stacks that have grown get smaller again while their goroutines wait, in
// all ways in which one can wait, and what is handed over meanwhile arrives.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

type big struct {
	a, b, c, d int
	p          *int
}

func deep(n int) int {
	var pad [20]int
	if n == 0 {
		return 0
	}
	pad[n%20] = n
	return deep(n-1) + pad[n%20] - n + 1
}

func value(i int) big { return big{i, i + 1, i + 2, i + 3, &i} }

func (v big) ok(i int) bool {
	return v.a == i && v.b == i+1 && v.c == i+2 && v.d == i+3 && *v.p == i
}

const rounds = 30

func main() {
	var wg sync.WaitGroup
	send, recv := make(chan big), make(chan big)
	sel, never := make(chan big), make(chan big)
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	turn := 0
	wg.Add(5)
	bad := make(chan string, 100)
	go func() { // waits to receive
		defer wg.Done()
		for i := 0; i < rounds; i++ {
			deep(300)
			if v := <-recv; !v.ok(i) {
				bad <- "receive"
			}
		}
	}()
	go func() { // waits to send
		defer wg.Done()
		for i := 0; i < rounds; i++ {
			deep(300)
			send <- value(i)
		}
	}()
	go func() { // waits in a select for either
		defer wg.Done()
		for i := 0; i < rounds; i++ {
			deep(300)
			if i%2 == 0 {
				select {
				case v := <-sel:
					if !v.ok(i) {
						bad <- "select receive"
					}
				case <-never:
				}
			} else {
				select {
				case sel <- value(i):
				case never <- big{}:
				}
			}
		}
	}()
	go func() { // waits for a condition, and with a deferred call pending
		defer wg.Done()
		for i := 0; i < rounds; i++ {
			deep(300)
			func() {
				v := value(i)
				defer func() {
					if !v.ok(i) || recover() == nil {
						bad <- "defer"
					}
				}()
				mu.Lock()
				for turn <= i {
					cond.Wait()
				}
				mu.Unlock()
				panic(i)
			}()
		}
	}()
	go func() { // sleeps
		defer wg.Done()
		for i := 0; i < rounds; i++ {
			v := value(i)
			deep(300)
			time.Sleep(time.Microsecond)
			if !v.ok(i) {
				bad <- "sleep"
			}
		}
	}()
	for i := 0; i < rounds; i++ {
		for k := 0; k < 3; k++ {
			runtime.GC()
			runtime.Gosched()
		}
		recv <- value(i)
		if v := <-send; !v.ok(i) {
			fmt.Println("send", i, v)
		}
		if i%2 == 0 {
			sel <- value(i)
		} else if v := <-sel; !v.ok(i) {
			fmt.Println("select send", i, v)
		}
		mu.Lock()
		turn++
		mu.Unlock()
		cond.Broadcast()
	}
	wg.Wait()
	close(bad)
	for s := range bad {
		fmt.Println("bad:", s)
	}

	// Memory comes back.
	const n = 200
	var start, hold sync.WaitGroup
	start.Add(n)
	hold.Add(1)
	for i := 0; i < n; i++ {
		go func() {
			deep(1000)
			start.Done()
			hold.Wait()
			deep(100)
		}()
	}
	start.Wait()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := 0; i < 12; i++ {
		runtime.GC()
	}
	runtime.ReadMemStats(&after)
	fmt.Println("shrunk", after.StackInuse < before.StackInuse/3)
	hold.Done()
	fmt.Println("ok")
}
