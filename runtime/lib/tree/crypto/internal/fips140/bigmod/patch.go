// SPDX-License-Identifier: MIT

// Package bigmod: its inner loop is a native, where Go has assembly.
package bigmod

//race:writes z, reads x[:z]
func addMulVVW(z, x []uint, y uint) (carry uint)
