// SPDX-License-Identifier: MIT

//go:build !go1.20

package os

func runtime_beforeExit() {}

//go:linkname fastrand runtime.fastrand
func fastrand() uint32
