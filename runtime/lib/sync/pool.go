// SPDX-License-Identifier: MIT

package sync

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

// Put adds x to the pool.
func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	for {
		p.mu.Lock()
		if p.listed {
			p.free = append(p.free, x)
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
		p.list()
	}
}

// Get takes some object from the pool; without one it returns New().
func (p *Pool) Get() any {
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
	if x == nil && p.New != nil {
		x = p.New()
	}
	return x
}
