// SPDX-License-Identifier: MIT

// Package fips140: there is no FIPS mode, so that no service is ever marked as
// an approved one.
package fips140

//go:linkname fatal runtime.fatal
func fatal(s string)

func getIndicator() uint8 { return 0 }

func setIndicator(uint8) {}
