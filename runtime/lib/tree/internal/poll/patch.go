// SPDX-License-Identifier: MIT

// Package poll: what it asks of the runtime is the scheduler's netpoller.
package poll

import (
	"internal/netpoll"
	"internal/oserror"
	"internal/sema"
)

//go:linkname nanotime runtime.nanotime
func nanotime() int64

func runtimeNano() int64 { return nanotime() }

// The first Open makes what is needed.
func runtime_pollServerInit() {}

func runtime_pollOpen(fd uintptr) (uintptr, int) { return netpoll.Open(fd) }

func runtime_pollClose(ctx uintptr) { netpoll.Close(ctx) }

func runtime_pollReset(ctx uintptr, mode int) int { return netpoll.Reset(ctx, mode) }

func runtime_pollWait(ctx uintptr, mode int) int { return netpoll.Wait(ctx, mode, false) }

func runtime_pollWaitCanceled(ctx uintptr, mode int) { netpoll.Wait(ctx, mode, true) }

func runtime_pollSetDeadline(ctx uintptr, d int64, mode int) { netpoll.SetDeadline(ctx, d, mode) }

func runtime_pollUnblock(ctx uintptr) { netpoll.Unblock(ctx) }

func runtime_isPollServerDescriptor(fd uintptr) bool { return netpoll.IsOwn(fd) }

func runtime_Semacquire(addr *uint32) { sema.Acquire(addr, false, sema.Semacquire) }

func runtime_Semrelease(addr *uint32) { sema.Release(addr, false, 0) }

// Package os has these, too.

var ErrDeadlineExceeded = oserror.ErrDeadlineExceeded

var ErrNoDeadline = oserror.ErrNoDeadline

type DeadlineExceededError = oserror.DeadlineExceededError
