// SPDX-License-Identifier: MIT

//go:build !go1.21

package metrics

// changes: nothing is counted of GODEBUG's settings, and nothing described.
func changes(name string) uint64 { return 0 }
