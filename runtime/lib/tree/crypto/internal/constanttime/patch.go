// SPDX-License-Identifier: MIT

// Package constanttime has a function that Go's compiler has instructions for.
package constanttime

func boolToUint8(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
