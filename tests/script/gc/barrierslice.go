// run
// concurrent: 15
// go-trace: 1
// SPDX-License-Identifier: MIT

// The write barrier of slices that become longer where they are: the array that
// an append leaves behind moves from the heap, where marking has not come by,
// to a stack that has been scanned, and stays there until the cycle is over.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

const magic = 0x5ca1ab1e0ddba11

type cell struct {
	s    []uint64
	next *cell
	pad  [4]uint64
}

const (
	cells   = 30000
	workers = 4
	cycles  = 12
)

func check(s []uint64) {
	if len(s) != 2 || s[0] != magic || s[1] != ^s[0] {
		fmt.Println("lost an array")
		os.Exit(1)
	}
}

// grow leaves a cell with a new array, and returns the old one.
func grow(c *cell) []uint64 {
	s := c.s
	c.s = append(c.s, 1)
	return s
}

func worker(all []*cell, stop *atomic.Bool, turn *atomic.Uint32, seed uint32, wg *sync.WaitGroup) {
	defer wg.Done()
	n := uint32(len(all))
	for !stop.Load() {
		seed = seed*1664525 + 1013904223
		c := all[(seed>>8)%n]
		s := grow(c)
		for t := turn.Load(); t == turn.Load() && !stop.Load(); {
			runtime.Gosched()
		}
		// What has been lost is somebody else's by now.
		for range 100 {
			_ = append([]uint64(nil), seed64(seed), 3)
		}
		check(s)
		c.s = s
	}
}

//go:noinline
func seed64(x uint32) uint64 { return uint64(x) }

func main() {
	// A list: a marker finds the cells one after the other.
	var first *cell
	all := make([]*cell, cells)
	for i := range all {
		s := make([]uint64, 2)
		s[0], s[1] = magic, ^uint64(magic)
		first = &cell{s: s, next: first}
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
		check(c.s)
		n++
	}
	fmt.Println("ok", n)
}
