// run
// concurrent
// SPDX-License-Identifier: MIT

// A buffered channel as a semaphore; a limit on how many run at once.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type sem chan struct{}

func (s sem) acquire() { s <- struct{}{} }
func (s sem) release() { <-s }
func (s sem) try() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func main() {
	s := make(sem, 3)
	var running, most atomic.Int32
	var wg sync.WaitGroup
	for i := 0; i < 60; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.acquire()
			defer s.release()
			n := running.Add(1)
			for {
				m := most.Load()
				if n <= m || most.CompareAndSwap(m, n) {
					break
				}
			}
			for j := 0; j < 5; j++ {
				runtime.Gosched()
			}
			running.Add(-1)
		}()
	}
	wg.Wait()
	fmt.Println(most.Load() <= 3, most.Load() >= 1, len(s), cap(s))
	fmt.Println(s.try(), s.try(), s.try(), s.try())
	s.release()
	fmt.Println(s.try(), len(s))

	// First in, first out: waiting senders are served in order.
	c := make(chan int, 2)
	started := make(chan bool)
	for i := 0; i < 10; i++ {
		go func() {
			started <- true
			c <- i
		}()
		<-started
		// Give the sender the time to block before the next one starts.
		for k := 0; k < 3; k++ {
			runtime.Gosched()
		}
	}
	got := map[int]bool{}
	for i := 0; i < 10; i++ {
		got[<-c] = true
	}
	fmt.Println(len(got))

	// The buffer is a queue: values come in the order sent.
	q := make(chan int, 16)
	ok := true
	go func() {
		for i := 0; i < 2000; i++ {
			q <- i
		}
		close(q)
	}()
	want := 0
	for v := range q {
		ok = ok && v == want
		want++
	}
	fmt.Println(ok, want)
}
