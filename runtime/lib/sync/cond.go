// SPDX-License-Identifier: MIT

package sync

import (
	"internal/sema"
	"sync/atomic"
	"unsafe"
)

// A Cond is a condition variable: goroutines wait for a change that others
// announce. L is held while the condition is looked at or changed.
type Cond struct {
	noCopy noCopy
	L      Locker
	notify sema.NotifyList
	self   unsafe.Pointer // c once it has been used, to detect copies
}

// NewCond returns a Cond with Locker l.
func NewCond(l Locker) *Cond { return &Cond{L: l} }

func (c *Cond) check() {
	p := unsafe.Pointer(c)
	if atomic.LoadPointer(&c.self) != p &&
		!atomic.CompareAndSwapPointer(&c.self, nil, p) &&
		atomic.LoadPointer(&c.self) != p {
		panic("sync.Cond is copied")
	}
}

// Wait unlocks c.L, waits for Signal or Broadcast, and locks c.L again.
func (c *Cond) Wait() {
	c.check()
	t := sema.NotifyAdd(&c.notify)
	c.L.Unlock()
	sema.NotifyWait(&c.notify, t)
	c.L.Lock()
}

// Signal wakes one waiting goroutine, if there is any.
func (c *Cond) Signal() {
	c.check()
	sema.NotifyOne(&c.notify)
}

// Broadcast wakes all waiting goroutines.
func (c *Cond) Broadcast() {
	c.check()
	sema.NotifyAll(&c.notify)
}
