// SPDX-License-Identifier: MIT

//go:build go1.21

// Package unix: how to call fcntl is asked of Go's runtime.
package unix

import "syscall"

func fcntl(fd int32, cmd int32, arg int32) (int32, int32) {
	r, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), uintptr(cmd), uintptr(arg))
	if errno != 0 {
		return -1, int32(errno)
	}
	return int32(r), 0
}
