// SPDX-License-Identifier: MIT

// Package godebug reads the settings in GODEBUG. Nobody counts how often one
// of them made a difference.
package godebug

import (
	"internal/environ"
	"unsafe"
)

func setUpdate(update func(string, string)) {
	environ.Watch("GODEBUG", func(value string) { update(environ.Godebug(), value) })
}

func registerMetric(name string, read func() uint64) {}

func setNewIncNonDefault(newIncNonDefault func(string) func()) {}

func write(fd uintptr, p unsafe.Pointer, n int32) int32 {
	print(unsafe.String((*byte)(p), int(n)))
	return n
}
