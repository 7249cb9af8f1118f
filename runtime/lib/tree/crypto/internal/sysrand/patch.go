// SPDX-License-Identifier: MIT

// Package sysrand ends the program where the system has no random bytes.
package sysrand

//go:linkname fatal runtime.fatal
func fatal(s string)
