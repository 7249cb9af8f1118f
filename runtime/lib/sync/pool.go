// SPDX-License-Identifier: MIT

package sync

import "internal/sema"

// A Pool keeps objects for reuse. What has not been used between two garbage
// collections is dropped: each collection makes the free list the old one.
type Pool struct {
	noCopy noCopy
	New    func() any // makes an object when there is none

	mu    Mutex
	cycle uint32 // of the collector when free was begun
	free  []any
	old   []any
}

// age drops what two collections have seen. Called with p.mu held.
func (p *Pool) age() {
	if c := sema.Cycle(); c != p.cycle {
		p.old = nil
		if c == p.cycle+1 {
			p.old = p.free
		}
		p.free = nil
		p.cycle = c
	}
}

// Put adds x to the pool.
func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	p.mu.Lock()
	p.age()
	p.free = append(p.free, x)
	p.mu.Unlock()
}

// Get takes some object from the pool; without one it returns New().
func (p *Pool) Get() any {
	p.mu.Lock()
	p.age()
	list := &p.free
	if len(p.free) == 0 {
		list = &p.old
	}
	var x any
	if n := len(*list); n > 0 {
		x = (*list)[n-1]
		(*list)[n-1] = nil
		*list = (*list)[:n-1]
	}
	p.mu.Unlock()
	if x == nil && p.New != nil {
		x = p.New()
	}
	return x
}
