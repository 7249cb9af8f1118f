// run
// concurrent
// SPDX-License-Identifier: MIT

// The channels of timers: without a buffer, never a stale value, no cost and
// no life for those that nobody waits for.
package main

import (
	"fmt"
	"runtime"
	"time"
)

// past returns when d is over: nothing else orders events here.
func past(d time.Duration) {
	for t := time.Now(); time.Since(t) <= d; {
		runtime.Gosched()
	}
}

func get(c <-chan time.Time) string {
	select {
	case <-c:
		return "a value"
	default:
		return "nothing"
	}
}

func unbuffered() {
	t, k := time.NewTimer(1), time.NewTicker(1)
	past(time.Microsecond)
	fmt.Println(cap(t.C), cap(k.C), cap(time.After(1)), len(t.C), len(k.C))
	fmt.Println(get(t.C), get(t.C), get(k.C), get(k.C) != "")
	k.Stop()
	fmt.Println(get(k.C))
}

func stale() {
	t := time.NewTimer(1)
	past(time.Microsecond)
	fmt.Println(t.Stop(), get(t.C), t.Stop())
	fmt.Println(t.Reset(1))
	past(time.Microsecond)
	fmt.Println(t.Reset(time.Hour), get(t.C), t.Reset(1))
	<-t.C
	fmt.Println(t.Stop(), t.Reset(time.Hour), t.Stop(), t.Stop())
	k := time.NewTicker(1)
	past(time.Microsecond)
	k.Reset(time.Hour)
	fmt.Println(get(k.C))
}

// late checks that a tick which nobody took in time has the time of its
// expiry, and that those after it have not piled up.
func late() {
	const d = time.Millisecond
	begin := time.Now()
	k := time.NewTicker(d)
	end := time.Now()
	past(5*d + d/2)
	first := <-k.C
	fmt.Println(first.Sub(begin) >= d, first.Sub(end) < 4*d)
	fmt.Println((<-k.C).Sub(first) > d)
	k.Stop()
}

func alive() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// forgotten makes timers that are neither stopped nor referred to.
func forgotten() {
	before := alive()
	for i := 0; i < 20000; i++ {
		time.NewTicker(time.Hour)
		time.NewTimer(time.Hour)
		time.After(time.Hour)
		select {
		case <-time.After(time.Hour):
		default:
		}
	}
	fmt.Println(alive() < before+1<<20)
}

// abandoned waits for timers, but another case of the select comes first.
func abandoned() {
	before := alive()
	c := make(chan int)
	go func() {
		for i := 0; i < 2000; i++ {
			c <- i
		}
		close(c)
	}()
	n := 0
	for ok := true; ok; n++ {
		select {
		case _, ok = <-c:
		case <-time.After(time.Hour):
		}
	}
	fmt.Println(n, alive() < before+1<<18)
}

// many are more ticks than any machine can send.
func many() {
	var keep []*time.Ticker
	for i := 0; i < 20000; i++ {
		keep = append(keep, time.NewTicker(1), time.NewTicker(time.Millisecond))
	}
	time.Sleep(time.Millisecond)
	for i := 0; i < 3; i++ {
		<-keep[0].C
	}
	fmt.Println(get(keep[2].C), len(keep))
}

func funcs() {
	c := make(chan int)
	f := time.AfterFunc(time.Hour, func() { c <- 1 })
	fmt.Println(f.C == nil, f.Stop(), f.Stop(), f.Reset(0))
	fmt.Println(<-c, f.Stop(), f.Reset(time.Hour), f.Reset(0))
	fmt.Println(<-c, f.Stop())
}

func main() {
	unbuffered()
	stale()
	late()
	forgotten()
	abandoned()
	many()
	funcs()
}
