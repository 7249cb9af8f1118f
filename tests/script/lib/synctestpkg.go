// run

// SPDX-License-Identifier: MIT

// Tests in bubbles: their clock, who is durably blocked, what the T of one is.
package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var outside = make(chan int)

func clock(t *testing.T) {
	start := time.Now()
	fmt.Println("clock:", start.UTC(), start == start.Round(0))
	time.Sleep(36 * time.Hour)
	fmt.Println("after a sleep:", time.Since(start), time.Until(start))
	tick := time.NewTicker(time.Minute)
	n := 0
	for now := range tick.C {
		if n++; n == 3 {
			fmt.Println("third tick:", now.Sub(start))
			break
		}
	}
	tick.Reset(time.Second)
	fmt.Println("tick:", (<-tick.C).Sub(start))
	tick.Stop()
	late := time.NewTimer(time.Second)
	time.Sleep(time.Minute)
	fmt.Println("read late:", (<-late.C).Sub(start), late.Stop())
	select {
	case <-time.After(0):
		fmt.Println("at once")
	default:
		fmt.Println("not at once")
	}
}

func waits(t *testing.T) {
	var log []string
	var logMu sync.Mutex
	say := func(s string) {
		logMu.Lock()
		log = append(log, s)
		logMu.Unlock()
	}
	said := func() []string {
		logMu.Lock()
		defer logMu.Unlock()
		return append([]string(nil), log...)
	}
	c, full := make(chan int), make(chan int, 1)
	full <- 1
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	var wg sync.WaitGroup
	wg.Add(1)
	for _, f := range []func(){
		func() { <-c; say("receive") },
		func() { full <- 2; say("send") },
		func() {
			select {
			case <-c:
			case full <- 3:
			}
			say("select")
		},
		func() { mu.Lock(); cond.Wait(); mu.Unlock(); say("cond") },
		func() { wg.Wait(); say("group") },
		func() { time.Sleep(time.Hour); say("sleep") },
		func() {
			next, stop := iter.Pull(func(yield func(int) bool) {
				yield(<-c)
			})
			next()
			stop()
			say("pull")
		},
	} {
		go f()
	}
	synctest.Wait()
	fmt.Println("blocked:", len(said()))
	buf := make([]byte, 1<<16)
	stacks := string(buf[:runtime.Stack(buf, true)])
	for _, why := range []string{"chan receive", "chan send", "select", "sleep",
		"sync.Cond.Wait", "sync.WaitGroup.Wait", "synctest.Run"} {
		fmt.Println(why, strings.Count(stacks, " ["+why+" (durable), synctest bubble 2]:"))
	}
	wg.Done()
	synctest.Wait()
	fmt.Println(said())
	mu.Lock()
	cond.Broadcast()
	mu.Unlock()
	synctest.Wait()
	fmt.Println(said())
	close(c)
	<-full
	synctest.Wait()
	fmt.Println(len(said()))
	time.Sleep(2 * time.Hour)
	synctest.Wait()
	fmt.Println(said()[6])
	<-full
}

func whoRuns(t *testing.T) {
	// A mutex and channels from outside are no durable waits.
	var mu sync.Mutex
	mu.Lock()
	got := 0
	go func() {
		mu.Lock()
		got = 1
		mu.Unlock()
		got += <-outside
	}()
	time.AfterFunc(time.Millisecond, mu.Unlock)
	for range 3 {
		runtime.Gosched()
	}
	mu.Unlock()
	synctest.Wait()
	fmt.Println("mutex and channel:", got)
	mu.Lock()
}

func contexts(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	time.Sleep(5*time.Second - time.Nanosecond)
	synctest.Wait()
	fmt.Println("before:", ctx.Err())
	time.Sleep(time.Nanosecond)
	synctest.Wait()
	fmt.Println("after:", errors.Is(ctx.Err(), context.DeadlineExceeded))
	t.Cleanup(func() { fmt.Println("cleanup:", t.Context().Err()) })
}

// panics prints what f panics with.
func panics(what string, f func()) {
	defer func() { fmt.Println(what+":", recover()) }()
	f()
}

func denied(t *testing.T) {
	panics("Run", func() { t.Run("x", func(*testing.T) {}) })
	panics("Parallel", t.Parallel)
	panics("Deadline", func() { t.Deadline() })
	panics("Test", func() { synctest.Test(t, func(*testing.T) {}) })
	go synctest.Wait()
	for range 10 {
		runtime.Gosched()
	}
}

func main() {
	run := func(name string, f func(*testing.T)) testing.InternalTest {
		return testing.InternalTest{Name: name, F: func(t *testing.T) { synctest.Test(t, f) }}
	}
	go func() { outside <- 41 }()
	testing.Main(func(pat, str string) (bool, error) { return true, nil },
		[]testing.InternalTest{
			run("TestClock", clock),
			run("TestWaits", waits),
			run("TestWhoRuns", whoRuns),
			run("TestContexts", contexts),
			run("TestDenied", denied),
			{Name: "TestStuck", F: func(t *testing.T) {
				panics("stuck", func() {
					synctest.Test(t, func(*testing.T) { select {} })
				})
				panics("left", func() {
					synctest.Test(t, func(*testing.T) {
						c := make(chan int)
						go func() { <-c }()
					})
				})
				panics("Wait", synctest.Wait)
			}},
		}, nil, nil)
}
