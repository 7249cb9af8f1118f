// SPDX-License-Identifier: MIT

//go:build !go1.20

// Package rand: since Go 1.20 the functions of the package begin somewhere else
// in each run.
package rand

//go:linkname runtimeRand runtime.rand
func runtimeRand() uint64

func init() { globalRand.Seed(int64(runtimeRand())) }
