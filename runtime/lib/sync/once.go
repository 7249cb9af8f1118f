// SPDX-License-Identifier: MIT

package sync

import (
	"internal/race"
	"sync/atomic"
	"unsafe"
)

// A Once does something exactly once.
type Once struct {
	_    noCopy
	done atomic.Bool
	m    Mutex
}

// Do calls f if it is the first call of Do for o; others wait until that has
// returned.
func (o *Once) Do(f func()) {
	if !o.done.Load() {
		o.doSlow(f)
	} else if race.Enabled {
		race.Acquire(unsafe.Pointer(o))
	}
}

func (o *Once) doSlow(f func()) {
	o.m.Lock()
	defer o.m.Unlock()
	if !o.done.Load() {
		defer o.finish()
		f()
	}
}

func (o *Once) finish() {
	if race.Enabled {
		race.ReleaseMerge(unsafe.Pointer(o))
	}
	o.done.Store(true)
}

// OnceFunc returns a function that calls f when first called; if f panics,
// every call does, with the same value.
func OnceFunc(f func()) func() {
	var once Once
	var value any
	valid := false
	run := func() {
		defer func() {
			value = recover()
			if !valid {
				// This first time with the stack of the origin.
				panic(value)
			}
		}()
		f()
		f = nil
		valid = true
	}
	return func() {
		once.Do(run)
		if !valid {
			panic(value)
		}
	}
}

// OnceValue returns a function that gives what f returns; f is called once, as
// OnceFunc has it.
func OnceValue[T any](f func() T) func() T {
	var x T
	run := OnceFunc(func() { x = f() })
	return func() T {
		run()
		return x
	}
}

// OnceValues is OnceValue of two results.
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var x T1
	var y T2
	run := OnceFunc(func() { x, y = f() })
	return func() (T1, T2) {
		run()
		return x, y
	}
}
