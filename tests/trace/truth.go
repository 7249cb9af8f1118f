// SPDX-License-Identifier: MIT

// Measures itself: for each goroutine a line "NAME TOTAL WAITED SPUN", in
// nanoseconds; then the counts of what it did.
package main

import (
	"context"
	"fmt"
	"runtime/trace"
	"sync"
	"time"
)

// spin computes until d has passed.
func spin(d time.Duration) (spent time.Duration) {
	start := time.Now()
	for {
		if spent = time.Since(start); spent >= d {
			return
		}
	}
}

type account struct {
	name                string
	total, waited, spun time.Duration
}

func (a *account) wait(f func()) {
	start := time.Now()
	f()
	a.waited += time.Since(start)
}

func receiver(a *account, c chan int) {
	start := time.Now()
	for open := true; open; {
		a.wait(func() { _, open = <-c })
		a.spun += spin(100 * time.Millisecond)
	}
	a.total = time.Since(start)
}

func sender(a *account, c chan int) {
	start := time.Now()
	for i := 0; i < 2; i++ {
		a.spun += spin(250 * time.Millisecond)
		a.wait(func() { c <- i })
	}
	close(c)
	a.total = time.Since(start)
}

func napper(a *account) {
	start := time.Now()
	for i := 0; i < 2; i++ {
		a.wait(func() { time.Sleep(200 * time.Millisecond) })
		a.spun += spin(50 * time.Millisecond)
	}
	a.total = time.Since(start)
}

func main() {
	c := make(chan int)
	list := []*account{{name: "main.main.func1"}, {name: "main.main.func2"},
		{name: "main.main.func3"}}
	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		receiver(list[0], c)
		wg.Done()
	}()
	go func() {
		sender(list[1], c)
		wg.Done()
	}()
	go func() {
		napper(list[2])
		wg.Done()
	}()
	wg.Wait()
	for _, a := range list {
		fmt.Println(a.name, a.total.Nanoseconds(), a.waited.Nanoseconds(),
			a.spun.Nanoseconds())
	}
	// What can be counted.
	ctx, task := trace.NewTask(context.Background(), "count")
	for i := 0; i < 100; i++ {
		trace.WithRegion(ctx, "r", func() { trace.Log(ctx, "k", "v") })
	}
	task.End()
	d := make(chan int)
	wg.Add(50)
	for i := 0; i < 50; i++ {
		go func() {
			for range d {
			}
			wg.Done()
		}()
	}
	for i := 0; i < 1000; i++ {
		d <- i
	}
	close(d)
	wg.Wait()
}
