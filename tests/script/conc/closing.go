// run
// concurrent
// SPDX-License-Identifier: MIT

// Closing channels: waiting receivers and senders, buffered rest, range.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

func main() {
	c := make(chan int, 4)
	c <- 1
	c <- 2
	close(c)
	v, ok := <-c
	fmt.Println(v, ok, len(c))
	v, ok = <-c
	fmt.Println(v, ok)
	v, ok = <-c
	fmt.Println(v, ok, <-c, len(c), cap(c))

	// Close wakes every receiver.
	b := make(chan struct{})
	var wg sync.WaitGroup
	var n atomic.Int32
	for i := 0; i < 100; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if i%2 == 0 {
				<-b
			} else {
				select {
				case _, ok := <-b:
					if ok {
						panic("received from a closed channel")
					}
				}
			}
			n.Add(1)
		}()
	}
	runtime.Gosched()
	close(b)
	wg.Wait()
	fmt.Println(n.Load())

	// Close makes every waiting sender panic.
	d := make(chan int)
	var panics atomic.Int32
	var blocked atomic.Int32
	for i := 0; i < 10; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() {
				if r := recover(); fmt.Sprint(r) == "send on closed channel" {
					panics.Add(1)
				}
			}()
			blocked.Add(1)
			d <- i
		}()
	}
	for blocked.Load() != 10 {
		runtime.Gosched()
	}
	close(d)
	wg.Wait()
	fmt.Println(panics.Load())

	// Several ranges over one channel share its values.
	e := make(chan int)
	sums := make([]int, 5)
	for i := range sums {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for v := range e {
				sums[i] += v
			}
		}()
	}
	for i := 1; i <= 1000; i++ {
		e <- i
	}
	close(e)
	wg.Wait()
	total := 0
	for _, s := range sums {
		total += s
	}
	fmt.Println(total)
	try := func(f func()) {
		defer func() { fmt.Println(recover()) }()
		f()
	}
	var nc chan int
	try(func() { close(nc) })
	try(func() { close(e) })
	try(func() { e <- 1 })
	zero := make(chan [0]int, 1)
	zero <- [0]int{}
	fmt.Println(<-zero, len(zero))
	str := make(chan string, 1)
	close(str)
	s, ok := <-str
	fmt.Printf("%q %v\n", s, ok)
	cc := make(chan chan string, 1)
	reply := make(chan string)
	cc <- reply
	go func() { r := <-cc; r <- "through a channel of channels" }()
	fmt.Println(<-reply)
}
