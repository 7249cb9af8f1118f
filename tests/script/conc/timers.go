// run
// concurrent
// SPDX-License-Identifier: MIT

// Timers: After, NewTimer, Stop, Reset, AfterFunc, Sleep.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	start := time.Now()
	<-time.After(5 * time.Millisecond)
	fmt.Println(time.Since(start) >= 5*time.Millisecond)
	start = time.Now()
	time.Sleep(3 * time.Millisecond)
	fmt.Println(time.Since(start) >= 3*time.Millisecond)
	time.Sleep(0)
	time.Sleep(-time.Hour)

	var mu sync.Mutex
	sum := 0
	var wg sync.WaitGroup
	for _, ms := range []int{300, 0, 200, 100} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			start := time.Now()
			d := time.Duration(ms) * time.Millisecond
			time.Sleep(d)
			if time.Since(start) < d {
				fmt.Println("woken too early", d)
			}
			mu.Lock()
			sum += ms
			mu.Unlock()
		}()
	}
	wg.Wait()
	fmt.Println(sum)

	t := time.NewTimer(time.Hour)
	fmt.Println(t.Stop(), t.Stop())
	fmt.Println(t.Reset(time.Millisecond))
	at := <-t.C
	fmt.Println(!at.IsZero(), t.Stop())
	t.Reset(time.Hour)
	fmt.Println(t.Reset(2*time.Millisecond), len(t.C))
	<-t.C

	fired := make(chan int, 1)
	f := time.AfterFunc(2*time.Millisecond, func() { fired <- 1 })
	fmt.Println(<-fired, f.Stop())
	f.Reset(time.Millisecond)
	fmt.Println(<-fired)
	var n atomic.Int32
	g := time.AfterFunc(time.Hour, func() { n.Add(1) })
	fmt.Println(g.Stop(), n.Load())

	select {
	case <-time.After(time.Hour):
		fmt.Println("wrong")
	case <-time.After(time.Millisecond):
		fmt.Println("timeout")
	}
	c := make(chan int)
	go func() { time.Sleep(2 * time.Millisecond); c <- 5 }()
	select {
	case v := <-c:
		fmt.Println("value", v)
	case <-time.After(10 * time.Second):
		fmt.Println("wrong")
	}
	var timers []*time.Timer
	for i := 0; i < 500; i++ {
		timers = append(timers, time.AfterFunc(time.Duration(i%7)*time.Millisecond, func() { n.Add(1) }))
	}
	stopped := int32(0)
	for i := 0; i < 500; i += 3 {
		if timers[i].Stop() {
			stopped++
		}
	}
	for n.Load() != 500-stopped {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(5 * time.Millisecond)
	fmt.Println(n.Load()+stopped == 500)
	for i := 0; i < 200; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			time.Sleep(time.Duration(i%5) * time.Millisecond)
		}()
	}
	wg.Wait()
	fmt.Println("done")
}
