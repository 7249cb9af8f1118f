// SPDX-License-Identifier: MIT

//go:build go1.23

package time

import "unsafe"

// newTimer is a timer of Go's runtime: it calls f with arg, at first when the
// clock says so.
func newTimer(when, period int64, f func(any, uintptr, int64), arg any, cp unsafe.Pointer) *Timer {
	c := makeTimer(nil, 0, func() { f(arg, 0, 0) }, startFunc)
	armTimer(c, when-runtimeNano(), period)
	return &Timer{nil, c}
}
