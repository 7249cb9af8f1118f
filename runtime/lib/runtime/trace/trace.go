// SPDX-License-Identifier: MIT

// Package trace turns the execution tracer on and off and annotates traces
// with tasks, regions and messages of the program. The recorder is in C
// (trace/record); native.c has the natives.
package trace

import (
	"errors"
	"io"
	"sync"
)

// tracing serialises Start and Stop. The recorder would refuse a second
// trace by itself, but only its own reader may drain it.
var tracing struct {
	sync.Mutex
	enabled bool
	ready   chan struct{} // closed when there may be something to read
	drained chan struct{} // closed when the last piece is written
}

// bySeed tells whether one goroutine runs at a time, by a seed. Then read must
// not block, and is called only when the trace has ended; stop does not wait.
//
//race:none
func bySeed() bool

// start begins a trace that read returns in pieces; "" or what is wrong.
//
//race:none
func start() string

// stop ends it and waits until read has returned everything.
//
//race:none
func stop()

// read returns the next piece, blocking; nil at the end.
//
//race:none
func read() []byte

// IsEnabled reports whether events are recorded, by whomever.
//
//race:none
func IsEnabled() bool

// Start begins to trace the program into w, from a goroutine that goes on
// until Stop. It fails while another trace is under way. What w answers is
// ignored.
func Start(w io.Writer) error {
	tracing.Lock()
	defer tracing.Unlock()
	if text := start(); text != "" {
		return errors.New(text)
	}
	tracing.enabled = true
	tracing.drained = make(chan struct{})
	tracing.ready = make(chan struct{})
	if !bySeed() {
		close(tracing.ready)
	}
	go drain(w, tracing.ready, tracing.drained)
	return nil
}

func drain(w io.Writer, ready <-chan struct{}, done chan<- struct{}) {
	defer close(done)
	<-ready
	for {
		data := read()
		if data == nil {
			return
		}
		w.Write(data)
	}
}

// Stop ends the trace that Start began, if there is one, and returns when
// all of it has been written.
func Stop() {
	tracing.Lock()
	defer tracing.Unlock()
	if !tracing.enabled {
		return
	}
	tracing.enabled = false
	stop()
	if bySeed() {
		close(tracing.ready)
	}
	<-tracing.drained
}
