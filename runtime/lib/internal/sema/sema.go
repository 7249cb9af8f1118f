// SPDX-License-Identifier: MIT

// Package sema declares the runtime's blocking primitives for package sync
// and others; they are natives (native.c) over sched/sched.h.
//
//race:off
package sema

// Why a goroutine waits, for tracebacks and traces; the numbers are those of
// enum sched_wait.
const (
	Semacquire   = 8
	MutexLock    = 9
	RWMutexRLock = 10
	RWMutexLock  = 11
	WaitGroup    = 12
)

// Acquire waits until *addr > 0 and decrements it. A Release may pass its
// token directly to a waiter. lifo queues at the head.
//race:inner
func Acquire(addr *uint32, lifo bool, reason int)

// AcquireIn is Acquire of what, if the goroutine is in a bubble, only others of
// that bubble release.
//race:inner
func AcquireIn(addr *uint32, reason int)

// Release increments *addr or wakes a waiter; with handoff the waiter runs
// at once, in the caller's place. The mutex profile shows the stack without
// the skip innermost functions.
//race:inner
func Release(addr *uint32, handoff bool, skip int)

// A NotifyList is the queue of a condition variable.
type NotifyList struct {
	wait   uint32
	notify uint32
	list   uint64
}

// NotifyAdd takes a ticket for NotifyWait.
//race:inner
func NotifyAdd(l *NotifyList) uint32

// NotifyWait waits until the ticket is notified.
//race:inner
func NotifyWait(l *NotifyList, ticket uint32)

// NotifyAll wakes all waiters; NotifyOne the one that came first. Those of a
// bubble can be woken from within only.
//race:inner
func NotifyAll(l *NotifyList)
//race:inner
func NotifyOne(l *NotifyList)

// Fatal ends the program with "fatal error: " and the message.
//race:none
func Fatal(msg string)

// Spin idles for a moment if it makes sense to wait actively for the iter-th
// time, and reports whether it did.
//race:none
func Spin(iter int) bool

// Nanotime is the monotonic clock.
//race:none
func Nanotime() int64

