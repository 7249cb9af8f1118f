// SPDX-License-Identifier: MIT

// Package os: vole's own has the files, the environment and the streams; the
// tree's has processes.
package os

import (
	"internal/stdio"
	"syscall"
)

// Package fmt writes to what Stdout is at the moment, and reads from Stdin.
func init() {
	stdio.Stdout = func(b []byte) (int, error) { return Stdout.Write(b) }
	stdio.Stdin = func(b []byte) (int, error) { return Stdin.Read(b) }
}

//native os.args
func runtime_args() []string

// executable is the program's path; tests start themselves again by the name
// that vole test has given them.
func executable() (string, error) {
	name := runtime_args()[0]
	if n := len(name); n > 5 && name[0] == '/' && name[n-5:] == ".test" {
		return name, nil
	}
	return Readlink("/proc/self/exe")
}

// sigpipe is what comes of writing to a standard stream that nobody reads. No
// thread that runs Go blocks the signal longer than the process lives.
func sigpipe() { syscall.Kill(syscall.Getpid(), syscall.SIGPIPE) }

func checkClonePidfd() error { return syscall.ENOSYS }

func ignoreSIGSYS() {}

func restoreSIGSYS() {}
