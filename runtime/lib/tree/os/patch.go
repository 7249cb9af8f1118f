// SPDX-License-Identifier: MIT

// Package os: vole's own has the files, the environment and the streams; the
// tree's has processes.
package os

func runtime_args() []string { return Args }

func runtime_beforeExit(exitCode int) {}

func checkClonePidfd() error { return ErrUnsupported }

func ignoreSIGSYS() {}

func restoreSIGSYS() {}
