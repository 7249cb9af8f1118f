// run
// concurrent
// SPDX-License-Identifier: MIT

// The half of the write barrier that shades the new value: an object that
// only a stack knows, which has not been scanned yet, moves to an object that
// has been marked, and is gone from the stack when that is scanned.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

const magic = 0x0ddba11cafe5eed

type obj struct {
	a    uint64
	next *obj
	b    uint64
}

type cell struct {
	p *obj
}

const (
	holders = 3000
	cycles  = 10
)

func check(p *obj) {
	if p.a != magic || p.b != ^p.a || p.next != p {
		fmt.Println("lost an object")
		os.Exit(1)
	}
}

// holder keeps its object on the stack until it is called, then in a fresh
// cell, then on the stack again. The many frames below make the scan of all
// stacks take its time.
func holder(depth int, call chan bool, slot *atomic.Pointer[cell], wg *sync.WaitGroup) {
	if depth > 0 {
		holder(depth-1, call, slot, wg)
		return
	}
	defer wg.Done()
	p := &obj{a: magic, b: ^uint64(magic)}
	p.next = p
	for {
		if !<-call {
			check(p)
			return
		}
		c := new(cell)
		c.p = p
		p = nil
		slot.Store(c)
		c = nil
		if !<-call {
			check(slot.Load().p)
			return
		}
		c = slot.Swap(nil)
		p = c.p
		c.p = nil
		check(p)
	}
}

func main() {
	var wg sync.WaitGroup
	calls := make([]chan bool, holders)
	slots := make([]atomic.Pointer[cell], holders)
	for i := range calls {
		calls[i] = make(chan bool)
		wg.Add(1)
		go holder(40, calls[i], &slots[i], &wg)
	}
	var stop atomic.Bool
	done := make(chan bool)
	go func() {
		seed := uint32(1)
		for !stop.Load() {
			seed = seed*1664525 + 1013904223
			calls[(seed>>8)%holders] <- true
		}
		close(done)
	}()
	for i := 0; i < cycles; i++ {
		runtime.GC()
		runtime.Gosched()
	}
	stop.Store(true)
	<-done
	for _, c := range calls {
		c <- false
	}
	wg.Wait()
	fmt.Println("ok")
}
