// SPDX-License-Identifier: MIT

//go:build !go1.23

package time

// A runtimeTimer calls f with arg, at first when the clock says so.
type runtimeTimer struct {
	when   int64
	period int64
	f      func(any, uintptr)
	arg    any
	seq    uintptr
	c      chan Time
}

func startTimer(r *runtimeTimer) {
	r.c = makeTimer(nil, 0, func() { r.f(r.arg, r.seq) }, startFunc)
	armTimer(r.c, r.when-runtimeNano(), r.period)
}

func stopTimer(r *runtimeTimer) bool { return disarmTimer(r.c) }
