// SPDX-License-Identifier: MIT

package trace

import (
	"errors"
	"io"
	"sync"
	"time"
)

// A FlightRecorder keeps the last moments of the program in memory, as a
// trace that can be written at any time. There is one at a time.
type FlightRecorder struct {
	cfg     FlightRecorderConfig
	mu      sync.Mutex
	enabled bool
	writing bool
}

// A FlightRecorderConfig says how much is kept. Zero is a default.
type FlightRecorderConfig struct {
	// MinAge is how far the events reach back at least; 10 seconds by default.
	MinAge time.Duration

	// MaxBytes is how much memory they take at most, about; 10 MiB by default.
	// It counts for more than MinAge.
	MaxBytes uint64
}

// flightStart begins to record; "" or what is wrong.
//
//race:none
func flightStart(minAge int64, maxBytes uint64) string

//race:none
func flightStop()

// flightDump returns what is kept as a trace, or what is wrong.
//
//race:none
func flightDump() ([]byte, string)

// NewFlightRecorder returns a recorder that does not record yet.
func NewFlightRecorder(cfg FlightRecorderConfig) *FlightRecorder {
	return &FlightRecorder{cfg: cfg}
}

// Start begins to record. It fails if this or another one does already.
func (fr *FlightRecorder) Start() error {
	fr.mu.Lock()
	defer fr.mu.Unlock()
	if fr.enabled {
		return errors.New("cannot enable a enabled flight recorder")
	}
	if text := flightStart(int64(fr.cfg.MinAge), fr.cfg.MaxBytes); text != "" {
		return errors.New(text)
	}
	fr.enabled = true
	return nil
}

// Stop ends the recording and forgets what was kept.
func (fr *FlightRecorder) Stop() {
	fr.mu.Lock()
	defer fr.mu.Unlock()
	if fr.enabled {
		fr.enabled = false
		flightStop()
	}
}

// Enabled reports whether fr records.
func (fr *FlightRecorder) Enabled() bool {
	fr.mu.Lock()
	defer fr.mu.Unlock()
	return fr.enabled
}

// claim takes the right to write, which one call at a time has.
func (fr *FlightRecorder) claim() error {
	fr.mu.Lock()
	defer fr.mu.Unlock()
	if !fr.enabled {
		return errors.New("cannot snapshot a disabled flight recorder")
	}
	if fr.writing {
		return errors.New(
			"call to WriteTo for trace.FlightRecorder already in progress")
	}
	fr.writing = true
	return nil
}

func (fr *FlightRecorder) release() {
	fr.mu.Lock()
	defer fr.mu.Unlock()
	fr.writing = false
}

// WriteTo writes what is kept, a complete trace, and goes on recording.
func (fr *FlightRecorder) WriteTo(w io.Writer) (int64, error) {
	if err := fr.claim(); err != nil {
		return 0, err
	}
	defer fr.release()
	data, text := flightDump()
	if text != "" {
		return 0, errors.New(text)
	}
	n, err := w.Write(data)
	return int64(n), err
}
