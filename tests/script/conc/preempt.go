// run
// concurrent
// SPDX-License-Identifier: MIT

// Tight loops do not keep other goroutines, timers or the collector out.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

var sink atomic.Int64

func spin(stop *atomic.Bool, n *int) {
	for !stop.Load() {
		*n++
	}
}

func pure(flag *int32) {
	x := 0
	for i := 0; ; i++ {
		x += i & 3
		if x&0xfff == 0 && atomic.LoadInt32(flag) == 1 {
			break
		}
	}
	sink.Store(int64(x & 1))
}

func call(i int) int { return i ^ 1 }

func main() {
	var stop atomic.Bool
	counts := make([]int, 4)
	ended := make(chan int)
	for i := range counts {
		go func() { spin(&stop, &counts[i]); ended <- i }()
	}
	time.Sleep(10 * time.Millisecond)
	runtime.GC()
	stop.Store(true)
	for range counts {
		<-ended
	}
	fmt.Println("spinners ended")

	var flag int32
	done := make(chan bool)
	for i := 0; i < 3; i++ {
		go func() { pure(&flag); done <- true }()
	}
	<-time.After(5 * time.Millisecond)
	atomic.StoreInt32(&flag, 1)
	for i := 0; i < 3; i++ {
		<-done
	}
	fmt.Println("loops ended")

	// Busy waiting for another goroutine works.
	var ready atomic.Int32
	go func() { ready.Store(1) }()
	for ready.Load() == 0 {
	}
	fmt.Println("saw the store")
	var n atomic.Int64
	quit := make(chan bool)
	go func() {
		for {
			select {
			case <-quit:
				quit <- true
				return
			default:
				n.Add(1)
			}
		}
	}()
	x := 0
	for n.Load() < 100 {
		x = call(x)
	}
	quit <- true
	<-quit
	fmt.Println("polling loop ended")
	ticks := 0
	tick := time.NewTicker(time.Millisecond)
	go func() {
		for ready.Load() == 1 {
			x := 0
			for i := 0; i < 10000; i++ {
				x += call(i)
			}
		}
		done <- true
	}()
	for ticks < 5 {
		<-tick.C
		ticks++
	}
	ready.Store(2)
	<-done
	fmt.Println(ticks)
}
