// SPDX-License-Identifier: MIT

//go:build !race

// Package race is how the library tells the race detector what it means.
// Calls belong behind a look at Enabled, which is a constant, so that nothing
// is left of them without the detector.
package race

import "unsafe"

const Enabled = false

func Acquire(addr unsafe.Pointer)                       {}
func Release(addr unsafe.Pointer)                       {}
func ReleaseMerge(addr unsafe.Pointer)                  {}
func Locked(addr unsafe.Pointer)                        {}
func Unlocking(addr unsafe.Pointer)                     {}
func Touch(addr unsafe.Pointer)                         {}
func Disable()                                          {}
func Enable()                                           {}
func Read(addr unsafe.Pointer)                          {}
func Write(addr unsafe.Pointer)                         {}
func ReadRange(addr unsafe.Pointer, n int)              {}
func WriteRange(addr unsafe.Pointer, n int)             {}
func ReadPC(addr unsafe.Pointer, callerpc, pc uintptr)  {}
func WritePC(addr unsafe.Pointer, callerpc, pc uintptr) {}
func Errors() int                                       { return 0 }
