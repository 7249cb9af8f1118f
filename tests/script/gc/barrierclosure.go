// run
// concurrent: 15
// go-trace: 1
// SPDX-License-Identifier: MIT

// The same as barriernew, where the object moves to a closure: one that is made
// while the collector marks has been marked, and is not looked into any more.
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
func keep(p *obj) func() *obj { return func() *obj { return p } }

// holder has its object on the stack only when a cycle begins, and soon after
// in a fresh closure only, until the cycle is over. The many frames below make
// the scan of all stacks take its time.
func holder(depth, wait int, slot *func() *obj, turn *atomic.Uint32, stop *atomic.Bool, wg *sync.WaitGroup) {
	if depth > 0 {
		holder(depth-1, wait, slot, turn, stop, wg)
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
		*slot = keep(p)
		p = nil
		for now == turn.Load() && !stop.Load() {
			runtime.Gosched()
		}
		p = (*slot)()
		*slot = nil
		check(p)
	}
}

func main() {
	var wg sync.WaitGroup
	var stop atomic.Bool
	var turn atomic.Uint32
	slots := make([]func() *obj, holders)
	for i := range slots {
		wg.Add(1)
		go holder(40, i%5, &slots[i], &turn, &stop, &wg)
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
