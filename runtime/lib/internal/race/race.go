// SPDX-License-Identifier: MIT

//go:build race

//race:off
package race

import "unsafe"

// Enabled reports whether the program runs with -race.
const Enabled = true

// Acquire learns what has been released into the object at addr.
//
//race:orders
func Acquire(addr unsafe.Pointer)

// Release makes the object at addr hold what the goroutine knows, and nothing
// else.
//
//race:orders
func Release(addr unsafe.Pointer)

// ReleaseMerge adds what the goroutine knows to the object at addr.
//
//race:orders
func ReleaseMerge(addr unsafe.Pointer)

// Locked is Acquire for a lock that the goroutine has taken, Unlocking Release
// for one that it is about to give back. Both count as atomic accesses to the
// four bytes at addr, so that a plain one, which overwrites the lock, races.
//
//race:orders
func Locked(addr unsafe.Pointer)

//race:orders
func Unlocking(addr unsafe.Pointer)

// Touch is such an access alone.
//
//race:orders
func Touch(addr unsafe.Pointer)

// Disable ends, and Enable begins again, that what the goroutine does makes an
// order of events. They nest.
//
//race:orders
func Disable()

//race:orders
func Enable()

// Read and Write tell of an access to the byte at addr, ReadRange and
// WriteRange to n bytes from there on.
//
//race:orders
func Read(addr unsafe.Pointer)

//race:orders
func Write(addr unsafe.Pointer)

//race:orders
func ReadRange(addr unsafe.Pointer, n int)

//race:orders
func WriteRange(addr unsafe.Pointer, n int)

// ReadPC and WritePC are Read and Write: where they come from is known.
func ReadPC(addr unsafe.Pointer, callerpc, pc uintptr)  { Read(addr) }
func WritePC(addr unsafe.Pointer, callerpc, pc uintptr) { Write(addr) }

// Errors is the number of races reported so far.
//
//race:orders
func Errors() int
