// run
// concurrent
// SPDX-License-Identifier: MIT

// Tickers: ticks come, can be stopped and reset, and do not pile up.
package main

import (
	"fmt"
	"time"
)

func main() {
	last := time.Now()
	tk := time.NewTicker(2 * time.Millisecond)
	for i := 0; i < 5; i++ {
		at := <-tk.C
		if at.Before(last) {
			fmt.Println("time went back")
		}
		last = at
	}
	fmt.Println("five ticks")
	time.Sleep(20 * time.Millisecond)
	n := 0
drain:
	for {
		select {
		case <-tk.C:
			n++
			if n > 3 {
				break drain
			}
		default:
			break drain
		}
	}
	fmt.Println(n >= 1 && n <= 2)
	tk.Stop()
	select {
	case <-tk.C:
	default:
	}
	time.Sleep(6 * time.Millisecond)
	select {
	case <-tk.C:
		fmt.Println("tick after stop")
	default:
		fmt.Println("stopped")
	}
	tk.Reset(time.Millisecond)
	<-tk.C
	<-tk.C
	tk.Stop()

	done := make(chan struct{})
	count := 0
	go func() {
		defer close(done)
		t := time.NewTicker(time.Millisecond)
		defer t.Stop()
		timeout := time.After(time.Minute)
		for {
			select {
			case <-t.C:
				count++
				if count == 10 {
					return
				}
			case <-timeout:
				return
			}
		}
	}()
	<-done
	fmt.Println(count)
	c := time.Tick(time.Millisecond)
	<-c
	<-c
	func() {
		defer func() { fmt.Println(recover()) }()
		time.NewTicker(0)
	}()
	fmt.Println(time.Tick(0) == nil)
}
