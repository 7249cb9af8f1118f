// SPDX-License-Identifier: MIT

// Package rand ends the program where the system has no random bytes.
package rand

//go:linkname fatal runtime.fatal
func fatal(s string)
