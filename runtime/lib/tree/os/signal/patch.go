// SPDX-License-Identifier: MIT

// Package signal: the thread that waits for signals is the host's, which tells
// of those that are wanted.
package signal

import "runtime"

//race:none
func signal_enable(sig uint32)

//race:none
func signal_disable(sig uint32)

//race:none
func signal_ignore(sig uint32)

//race:none
func signal_ignored(sig uint32) bool

// receive waits for a signal, in the kernel.
//
//race:none
func receive() uint32

// delivers is whether anybody tells of signals: not where a seed decides what
// happens when.
//
//race:none
func delivers() bool

// pending is whether a signal has come that receive has not returned yet, or
// whether the one that it has returned is still being sent to channels: until
// receive is called again.
//
//race:none
func pending() bool

// settle waits until what the system has for the process is pending.
//
//race:none
func settle()

func signal_recv() uint32 {
	if !delivers() {
		select {}
	}
	return receive()
}

func signalWaitUntilIdle() {
	settle()
	for pending() {
		runtime.Gosched()
	}
}
