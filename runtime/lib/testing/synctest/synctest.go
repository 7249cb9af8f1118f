// SPDX-License-Identifier: MIT

// Package synctest tests concurrent code: a test runs in a bubble, on a clock
// of its own that moves when all goroutines of the bubble are blocked.
package synctest

import (
	"internal/synctest"
	"testing"
	_ "unsafe" // for go:linkname
)

//go:linkname testingSynctestTest testing.testingSynctestTest
func testingSynctestTest(t *testing.T, f func(*testing.T)) bool

// Test calls f in a new bubble and waits until all its goroutines have ended;
// the test fails if they cannot. The T that f gets runs its cleanups in the
// bubble; Run, Parallel and Deadline must not be called on it.
func Test(t *testing.T, f func(*testing.T)) {
	ok := false
	synctest.Run(func() { ok = testingSynctestTest(t, f) })
	if !ok {
		t.FailNow()
	}
}

// Wait returns when all goroutines of the bubble but the caller are durably
// blocked: on channels of the bubble, in Sleep, on a Cond or a WaitGroup of the
// bubble, or for ever.
func Wait() { synctest.Wait() }
