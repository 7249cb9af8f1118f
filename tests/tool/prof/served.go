package main

import (
	"fmt"
	"runtime/pprof"
	"sync"
	"time"
)

var keep [][]byte
var mu sync.Mutex

func grow() {
	for i := 0; ; i++ {
		mu.Lock()
		if len(keep) < 3000 {
			keep = append(keep, make([]byte, 5000))
		}
		mu.Unlock()
		time.Sleep(time.Millisecond)
	}
}

func busy() {
	x := 0
	for {
		for i := 0; i < 1000; i++ {
			x += i
		}
		c := make(chan int, 1)
		c <- x
	}
}

func main() {
	p := pprof.NewProfile("served.things")
	p.Add("one", 0)
	p.Add("two", 0)
	go grow()
	go grow()
	go busy()
	ticks := make(chan int)
	go func() {
		for {
			time.Sleep(time.Millisecond)
			ticks <- 1
		}
	}()
	go func() {
		for range ticks {
		}
	}()
	for i := 0; i < 20; i++ {
		go func() { select {} }()
	}
	fmt.Println("ready")
	n := 0
	for {
		time.Sleep(10 * time.Millisecond)
		n++
	}
}
