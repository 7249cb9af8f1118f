// SPDX-License-Identifier: MIT

//go:build race

package runtime

import (
	"internal/race"
	"unsafe"
)

// RaceRead and RaceWrite tell the race detector of an access to the byte at
// addr, RaceReadRange and RaceWriteRange to len bytes from there on.
func RaceRead(addr unsafe.Pointer)                { race.Read(addr) }
func RaceWrite(addr unsafe.Pointer)               { race.Write(addr) }
func RaceReadRange(addr unsafe.Pointer, len int)  { race.ReadRange(addr, len) }
func RaceWriteRange(addr unsafe.Pointer, len int) { race.WriteRange(addr, len) }

// RaceErrors is the number of races reported so far.
func RaceErrors() int { return race.Errors() }

// RaceAcquire makes what was released at addr happen before what follows.
func RaceAcquire(addr unsafe.Pointer) { race.Acquire(addr) }

// RaceRelease makes what came before happen before what acquires addr next,
// RaceReleaseMerge in addition to what was released there by others.
func RaceRelease(addr unsafe.Pointer)      { race.Release(addr) }
func RaceReleaseMerge(addr unsafe.Pointer) { race.ReleaseMerge(addr) }

// RaceDisable ends, and RaceEnable begins again, that what the goroutine does
// orders events. They nest.
func RaceDisable() { race.Disable() }
func RaceEnable()  { race.Enable() }
