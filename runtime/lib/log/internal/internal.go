// SPDX-License-Identifier: MIT

// Package internal is what package log/slog uses of package log.
package internal

// DefaultOutput writes data as a message of the default logger; it comes from
// the function at pc, 0 if that is not known.
var DefaultOutput func(pc uintptr, data []byte) error
