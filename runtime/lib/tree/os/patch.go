// SPDX-License-Identifier: MIT

// Package os: vole's own has the files, the environment and the streams; the
// tree's has processes.
package os

import "syscall"

//native os.args
func runtime_args() []string

// sigpipe is what comes of writing to a standard stream that nobody reads. No
// thread that runs Go blocks the signal longer than the process lives.
func sigpipe() { syscall.Kill(syscall.Getpid(), syscall.SIGPIPE) }

func runtime_beforeExit(exitCode int) {}

func checkClonePidfd() error { return syscall.ENOSYS }

func ignoreSIGSYS() {}

func restoreSIGSYS() {}
