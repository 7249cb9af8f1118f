// SPDX-License-Identifier: MIT

//go:build race

package race

import "unsafe"

// Enabled reports whether the program runs with -race.
const Enabled = true

// Acquire learns what has been released into the object at addr.
func Acquire(addr unsafe.Pointer)

// Release makes the object at addr hold what the goroutine knows, and nothing
// else.
func Release(addr unsafe.Pointer)

// ReleaseMerge adds what the goroutine knows to the object at addr.
func ReleaseMerge(addr unsafe.Pointer)

// Locked is Acquire for a lock that the goroutine has taken, Unlocking Release
// for one that it is about to give back. Both count as atomic accesses to the
// four bytes at addr, so that a plain one, which overwrites the lock, races.
func Locked(addr unsafe.Pointer)
func Unlocking(addr unsafe.Pointer)

// Touch is such an access alone.
func Touch(addr unsafe.Pointer)

// Disable ends, and Enable begins again, that what the goroutine does makes an
// order of events. They nest.
func Disable()
func Enable()

// Read and Write tell of an access to the byte at addr, ReadRange and
// WriteRange to n bytes from there on.
func Read(addr unsafe.Pointer)
func Write(addr unsafe.Pointer)
func ReadRange(addr unsafe.Pointer, n int)
func WriteRange(addr unsafe.Pointer, n int)

// ReadPC and WritePC are Read and Write: where they come from is known.
func ReadPC(addr unsafe.Pointer, callerpc, pc uintptr)  { Read(addr) }
func WritePC(addr unsafe.Pointer, callerpc, pc uintptr) { Write(addr) }

// Errors is the number of races reported so far.
func Errors() int
