// SPDX-License-Identifier: MIT

// Package godebug reads the settings in GODEBUG.
package godebug

import (
	"internal/environ"
	"sync"
	"unsafe"
)

func setUpdate(update func(string, string)) {
	environ.Watch("GODEBUG", func(value string) { update(environ.Godebug(), value) })
}

// counters are the functions that say how often a setting has made a
// difference, by the names of package metrics.
var counters sync.Map

func registerMetric(name string, read func() uint64) { counters.Store(name, read) }

// registered is such a count, 0 of a setting that has made none. Package
// metrics asks.
func registered(name string) uint64 {
	if read, ok := counters.Load(name); ok {
		return read.(func() uint64)()
	}
	return 0
}

func setNewIncNonDefault(newIncNonDefault func(string) func()) {}

func write(fd uintptr, p unsafe.Pointer, n int32) int32 {
	print(unsafe.String((*byte)(p), int(n)))
	return n
}
