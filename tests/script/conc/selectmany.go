// run
// concurrent
// SPDX-License-Identifier: MIT

// Select over many channels with many goroutines on both sides.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var chans [5]chan int
	for i := range chans {
		chans[i] = make(chan int, i%3)
	}
	const perSender = 200
	var senders, receivers sync.WaitGroup
	quit := make(chan struct{})
	sums := make([]int, 4)
	counts := make([]int, 4)
	for r := range sums {
		receivers.Add(1)
		go func() {
			defer receivers.Done()
			for {
				var v int
				select {
				case v = <-chans[0]:
				case v = <-chans[1]:
				case v = <-chans[2]:
				case v = <-chans[3]:
				case v = <-chans[4]:
				case <-quit:
					return
				}
				sums[r] += v
				counts[r]++
			}
		}()
	}
	for s := 0; s < 6; s++ {
		senders.Add(1)
		go func() {
			defer senders.Done()
			for i := 0; i < perSender; i++ {
				v := s*perSender + i
				select {
				case chans[0] <- v:
				case chans[1] <- v:
				case chans[2] <- v:
				case chans[3] <- v:
				case chans[4] <- v:
				}
			}
		}()
	}
	senders.Wait()
	for _, c := range chans {
		for len(c) > 0 {
		}
	}
	close(quit)
	receivers.Wait()
	total, n := 0, 0
	for i := range sums {
		total += sums[i]
		n += counts[i]
	}
	fmt.Println(n, total)

	// Two goroutines that select to send to and receive from each other.
	a, b := make(chan int), make(chan int)
	done := make(chan [2]int, 2)
	swap := func(out chan<- int, in <-chan int) {
		sent, got := 0, 0
		for sent < 300 || got < 300 {
			o := out
			if sent == 300 {
				o = nil
			}
			i := in
			if got == 300 {
				i = nil
			}
			select {
			case o <- sent:
				sent++
			case v := <-i:
				if v != got {
					panic("out of order")
				}
				got++
			}
		}
		done <- [2]int{sent, got}
	}
	go swap(a, b)
	go swap(b, a)
	fmt.Println(<-done, <-done)

	// The same channel in several cases.
	c := make(chan int)
	go func() {
		for i := 0; i < 100; i++ {
			c <- i
		}
		close(c)
	}()
	got := 0
	for open := true; open; {
		select {
		case _, open = <-c:
		case _, open = <-c:
		}
		if open {
			got++
		}
	}
	fmt.Println(got)
}
