// SPDX-License-Identifier: MIT

//go:build go1.20

package os

func runtime_beforeExit(exitCode int) {}
