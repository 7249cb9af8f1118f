// SPDX-License-Identifier: MIT

// Package netpoll waits for descriptors, as package internal/poll of Go asks
// its runtime to: natives (native.c) over sched/netpoll.h.
//
// A Desc stands for a descriptor that was opened here. Modes are 'r', 'w' and
// 'r'+'w'.
package netpoll

// A Desc is an address outside of the heap; 0 is none.
type Desc = uintptr

// What Reset and Wait answer; the numbers are those of enum poll_status, and
// of package internal/poll.
const (
	Ready = iota
	Closing
	Timeout
	NotPollable
	again
)

//go:linkname startSystem runtime.startSystem
func startSystem(f func())

// Open begins with a descriptor, which does not block; errno is 0 if that is
// possible.
func Open(fd uintptr) (d Desc, errno int) {
	d, errno, alone := open(int(fd))
	if alone {
		startSystem(serve)
	}
	return d, errno
}

// serve takes events where one goroutine at a time runs, as a seed says.
func serve() {
	fd := eventsFD()
	for {
		events(fd)
	}
}

// Wait waits until an attempt to read or to write makes sense, or says why
// none must be made. canceled: for the end of what was begun before the
// descriptor was to be closed or its time was over.
func Wait(d Desc, mode int, canceled bool) int {
	for {
		if r := wait(d, mode, canceled); r != again {
			return r
		}
	}
}

// open is Open; alone: it was the first time, and serve has to run.
//
//race:none
func open(fd int) (d Desc, errno int, alone bool)

// Close ends what Open has begun, after Unblock.
//
//race:none
func Close(d Desc)

// Reset forgets that there was something to read or room to write, before an
// attempt; what else than Ready it answers says why none must be made.
//
//race:none
func Reset(d Desc, mode int) int

// wait may answer again.
//
//race:none
func wait(d Desc, mode int, canceled bool) int

// SetDeadline ends waits in ns nanoseconds; 0 is never, less is at once.
//
//race:none
func SetDeadline(d Desc, ns int64, mode int)

// Unblock lets all go on that wait, since the descriptor will be closed.
//
//race:none
func Unblock(d Desc)

// IsOwn is whether the descriptor is one by which the runtime waits.
//
//race:none
func IsOwn(fd uintptr) bool

// eventsFD can be read when events has something to do.
//
//race:none
func eventsFD() int

//race:none
func events(fd int)

// BySeed is whether one goroutine at a time runs, as a seed says.
//
//race:none
func BySeed() bool
