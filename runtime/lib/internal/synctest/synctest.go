// SPDX-License-Identifier: MIT

// Package synctest is what packages of Go's library and package
// testing/synctest know of bubbles.
package synctest

import "internal/bubble"

// Run calls f in a goroutine that is the first one of a new bubble, and returns
// when all goroutines of the bubble have ended. It panics if they cannot.
func Run(f func()) { bubble.Run(f) }

// Wait returns when all goroutines of the bubble but the caller are durably
// blocked.
func Wait() { bubble.Wait() }

// IsInBubble reports whether the goroutine is in a bubble.
func IsInBubble() bool { return bubble.IsIn() }

// A Bubble is a bubble that is kept from being idle.
type Bubble struct{ b uintptr }

// Acquire returns the goroutine's bubble, nil if it is in none. It is not idle
// until Release is called.
func Acquire() *Bubble {
	if b := bubble.Hold(); b != 0 {
		return &Bubble{b}
	}
	return nil
}

// Release lets the bubble be idle again.
func (b *Bubble) Release() {
	if b == nil || b.b == 0 {
		return
	}
	bubble.Drop(b.b)
	b.b = 0
}

// Run calls f in the bubble; the goroutine must be in none. Of nil it just
// calls f.
func (b *Bubble) Run(f func()) {
	if b == nil {
		f()
		return
	}
	bubble.In(b.b, f)
}
