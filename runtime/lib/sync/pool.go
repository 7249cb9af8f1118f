// SPDX-License-Identifier: MIT

package sync

import (
	"internal/race"
	"unsafe"
)

// A Pool keeps objects for reuse. What has not been used between two garbage
// collections is dropped: each collection drops the old list and makes the
// free one the old one.
//
// The collector does that itself, by the layout of the first three fields,
// with the world stopped. So between mu's Lock and Unlock there must be no
// call and no loop: nowhere else can a goroutine be stopped.
type Pool struct {
	New  func() any // makes an object when there is none
	free []any
	old  []any

	noCopy noCopy
	mu     Mutex
	listed bool // in pools.all
}

// pools lists the Pools in use for the collector, which knows it by name: all
// since the last collection, old those that may have something in old.
var pools struct {
	all, old []*Pool
}

var poolsMu Mutex

// list makes p known to the collector.
func (p *Pool) list() {
	poolsMu.Lock()
	p.mu.Lock()
	listed := p.listed
	p.listed = true
	p.mu.Unlock()
	if !listed {
		pools.all = append(pools.all, p)
	}
	poolsMu.Unlock()
}

// raceObjects stand for what is in pools: the order of events that goes by
// way of a pool is that of each object's.
var raceObjects [128]byte

func raceObject(x any) unsafe.Pointer {
	data := uintptr((*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1])
	return unsafe.Pointer(&raceObjects[data>>4%uintptr(len(raceObjects))])
}

// Put adds x to the pool.
func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	if race.Enabled {
		_ = p.listed // panics before the race detector is disabled
		race.ReleaseMerge(raceObject(x))
		race.Disable()
	}
	for {
		p.mu.Lock()
		if p.listed {
			p.free = append(p.free, x)
			p.mu.Unlock()
			if race.Enabled {
				race.Enable()
			}
			return
		}
		p.mu.Unlock()
		p.list()
	}
}

// Get takes some object from the pool; without one it returns New().
func (p *Pool) Get() any {
	if race.Enabled {
		_ = p.listed // as in Put
		race.Disable()
	}
	var x any
	p.mu.Lock()
	if n := len(p.free); n > 0 {
		x = p.free[n-1]
		p.free[n-1] = nil
		p.free = p.free[:n-1]
	} else if n = len(p.old); n > 0 {
		x = p.old[n-1]
		p.old[n-1] = nil
		p.old = p.old[:n-1]
	}
	p.mu.Unlock()
	if race.Enabled {
		race.Enable()
		if x != nil {
			race.Acquire(raceObject(x))
		}
	}
	if x == nil && p.New != nil {
		x = p.New()
	}
	return x
}
