// run
// concurrent: 15
// go-trace: 1
// SPDX-License-Identifier: MIT

// Values that library functions exchange need the write barrier, too: an
// object moves from where marking has not been to where it has.
package main

import (
	"fmt"
	"os"
	"reflect"
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

// A pair is more than one word, with pointers in both.
type pair struct {
	p, q *obj
	name string
}

const (
	pairs   = 20000
	workers = 3
	cycles  = 12
)

func newObj() *obj {
	o := &obj{a: magic, b: ^uint64(magic)}
	o.next = o
	return o
}

func check(p *obj) {
	if p.a != magic || p.b != ^p.a || p.next != p {
		fmt.Println("lost an object")
		os.Exit(1)
	}
}

func worker(all []pair, stop *atomic.Bool, seed uint32, wg *sync.WaitGroup) {
	defer wg.Done()
	swap := reflect.Swapper(all)
	n := uint32(len(all))
	for !stop.Load() {
		for i := 0; i < 100; i++ {
			seed = seed*1664525 + 1013904223
			swap(int((seed>>4)%n), int((seed>>12)%n))
		}
		// What has been freed is used again.
		for i := 0; i < 20; i++ {
			at := &all[(seed>>8)%n]
			check(at.p)
			check(at.q)
			at.p, at.q = newObj(), newObj()
			seed = seed*1664525 + 1013904223
		}
	}
}

func main() {
	var parts [workers][]pair
	var stop atomic.Bool
	var wg sync.WaitGroup
	for i := range parts {
		parts[i] = make([]pair, pairs)
		for k := range parts[i] {
			parts[i][k] = pair{newObj(), newObj(), "x"}
		}
		wg.Add(1)
		go worker(parts[i], &stop, uint32(i+1)*7919, &wg)
	}
	for i := 0; i < cycles; i++ {
		runtime.GC()
		runtime.Gosched()
	}
	stop.Store(true)
	wg.Wait()
	for _, all := range parts {
		for i := range all {
			check(all[i].p)
			check(all[i].q)
		}
	}
	fmt.Println("ok")
}
