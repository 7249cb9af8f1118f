// SPDX-License-Identifier: MIT

// Package bubble runs functions in bubbles: sets of goroutines with a clock of
// their own, which moves when all of them are blocked. What a bubble is the
// scheduler knows (sched/bubble.h). Packages internal/synctest, vole's and Go's,
// are made of it.
//
//race:off
package bubble

import "runtime"

// open makes the goroutine the root of a new bubble, to which it and those that
// it starts belong until leave. key must live as long.
//
//race:orders
func open(key *uint64) bool

// leave is the end of what open began.
//
//race:orders
func leave()

// step fires the timers that are due, from the second time on those that are
// next. It reports whether there can be any more.
//
//race:orders
func step() bool

// idle returns when nobody in the bubble can go on.
//
//race:orders
func idle()

// What stuck finds.
const (
	over   = iota // all goroutines have ended
	locked        // all are blocked
	left          // the main one has ended, others are blocked
)

// stuck tells what became of the goroutines when nobody can go on any more.
//
//race:none
func stuck() int

// wait returns when all others in the bubble are blocked; at once, false, where
// another goroutine waits for that already. waited follows if it was true.
//
//race:orders
func wait() bool

//race:orders
func waited()

// IsIn reports whether the goroutine is in a bubble.
//
//race:none
func IsIn() bool

// Hold keeps the caller's bubble from being idle until Drop; 0: it is in none.
//
//race:orders
func Hold() uintptr

//race:orders
func Drop(b uintptr)

// enter puts the goroutine into a bubble that is held, exit takes it out again.
//
//race:orders
func enter(b uintptr)

//race:orders
func exit()

// A deadlock is what Run panics with.
type deadlock struct{ reason string }

func (d deadlock) Error() string { return d.reason }

// Run calls f in a goroutine that is the first one of a new bubble, and returns
// when all goroutines of the bubble have ended. It panics if they cannot.
func Run(f func()) {
	if IsIn() {
		panic("synctest.Run called from within a synctest bubble")
	}
	key := new(uint64)
	if !open(key) {
		panic("synctest.Run not supported with asynctimerchan!=0")
	}
	defer leave()
	go f()
	for step() {
		idle()
	}
	runtime.KeepAlive(key)
	switch stuck() {
	case locked:
		panic(deadlock{"deadlock: all goroutines in bubble are blocked"})
	case left:
		panic(deadlock{"deadlock: main bubble goroutine has exited but blocked goroutines remain"})
	}
}

// Wait returns when all goroutines of the bubble but the caller are durably
// blocked.
func Wait() {
	if !IsIn() {
		panic("goroutine is not in a bubble")
	}
	if !wait() {
		panic("wait already in progress")
	}
	waited()
}

// In calls f in the bubble b, which is held; the goroutine must be in none.
func In(b uintptr, f func()) {
	if IsIn() {
		panic("goroutine is already bubbled")
	}
	enter(b)
	defer exit()
	f()
}
