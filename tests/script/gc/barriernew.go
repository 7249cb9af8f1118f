// run
// concurrent: 15
// go-trace: 1
// SPDX-License-Identifier: MIT

// The half of the write barrier that shades the new value: an object that
// only a stack knows, which has not been scanned yet, moves to an object that
// has been marked, and is gone from the stack when that is scanned. So it is
// with what a closure captures that is made while the collector marks.
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
	p   *obj
	get func() *obj
}

const (
	holders = 400
	cycles  = 10
)

func check(p *obj) {
	if p.a != magic || p.b != ^p.a || p.next != p {
		fmt.Println("lost an object")
		os.Exit(1)
	}
}

//go:noinline
func capture(p *obj) func() *obj { return func() *obj { return p } }

// holder has its object on the stack only when a cycle begins, and soon after
// in a fresh cell or closure only, until the cycle is over. The many frames
// below make the scan of all stacks take its time.
func holder(depth, wait int, captures bool, slot *atomic.Pointer[cell], turn *atomic.Uint32, stop *atomic.Bool, wg *sync.WaitGroup) {
	if depth > 0 {
		holder(depth-1, wait, captures, slot, turn, stop, wg)
		return
	}
	defer wg.Done()
	p := &obj{a: magic, b: ^uint64(magic)}
	p.next = p
	for !stop.Load() {
		now := turn.Load()
		for i := 0; i < wait; i++ {
			runtime.Gosched()
		}
		c := new(cell)
		if captures {
			c.get = capture(p)
		} else {
			c.p = p
		}
		p = nil
		slot.Store(c)
		c = nil
		for now == turn.Load() && !stop.Load() {
			runtime.Gosched()
		}
		c = slot.Swap(nil)
		if captures {
			p = c.get()
		} else {
			p = c.p
		}
		c.p, c.get = nil, nil
		check(p)
	}
}

func main() {
	var wg sync.WaitGroup
	var stop atomic.Bool
	var turn atomic.Uint32
	slots := make([]atomic.Pointer[cell], holders)
	for i := range slots {
		wg.Add(1)
		go holder(40, i%5, i%2 == 0, &slots[i], &turn, &stop, &wg)
	}
	for i := 0; i < cycles; i++ {
		runtime.GC()
		turn.Add(1)
		runtime.Gosched()
	}
	stop.Store(true)
	wg.Wait()
	fmt.Println("ok")
}
