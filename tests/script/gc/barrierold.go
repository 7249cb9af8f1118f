// run
// concurrent: 15
// go-trace: 1
// SPDX-License-Identifier: MIT

// The half of the write barrier that shades the old value: an object moves
// from the heap, where marking has not come by, to a stack that has been
// scanned, and stays there until the cycle is over.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

const magic = 0x5ca1ab1e0ddba11

type obj struct {
	a    uint64
	next *obj
	b    uint64
}

type cell struct {
	p    *obj
	next *cell
	pad  [5]uint64
}

const (
	cells   = 30000
	workers = 4
	cycles  = 12
)

func check(p *obj) {
	if p.a != magic || p.b != ^p.a || p.next != p {
		fmt.Println("lost an object")
		os.Exit(1)
	}
}

func worker(all []*cell, stop *atomic.Bool, turn *atomic.Uint32, seed uint32, wg *sync.WaitGroup) {
	defer wg.Done()
	n := uint32(len(all))
	for !stop.Load() {
		// A walk over neighbours of a random place; what is taken is held
		// until the collector has gone on.
		seed = seed*1664525 + 1013904223
		c := all[(seed>>8)%n]
		p := c.p
		c.p = nil
		for t := turn.Load(); t == turn.Load() && !stop.Load(); {
			runtime.Gosched()
		}
		check(p)
		c.p = p
	}
}

func main() {
	// A list: a marker finds the cells one after the other.
	var first *cell
	all := make([]*cell, cells)
	for i := range all {
		o := &obj{a: magic, b: ^uint64(magic)}
		o.next = o
		first = &cell{p: o, next: first}
		all[i] = first
	}
	parts := make([][]*cell, workers)
	for i := range parts {
		parts[i] = append(parts[i], all[i*cells/workers:(i+1)*cells/workers]...)
	}
	all = nil
	var stop atomic.Bool
	var turn atomic.Uint32
	var wg sync.WaitGroup
	for i := range parts {
		wg.Add(1)
		go worker(parts[i], &stop, &turn, uint32(i+1)*7919, &wg)
	}
	for i := 0; i < cycles; i++ {
		runtime.GC()
		turn.Add(1)
		runtime.Gosched()
	}
	stop.Store(true)
	wg.Wait()
	n := 0
	for c := first; c != nil; c = c.next {
		check(c.p)
		n++
	}
	fmt.Println("ok", n)
}
