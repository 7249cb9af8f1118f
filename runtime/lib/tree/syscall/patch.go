// SPDX-License-Identifier: MIT

// Package syscall: how a system call is made, which in Go is assembly and a
// word with the scheduler, and what Go's runtime knows of the environment.
package syscall

import (
	"internal/environ"
	"unsafe"
)

// call makes a system call. The pointers are the arguments that are addresses
// of the heap, which nothing else may keep alive while the call blocks.
//
//race:none
func call(trap, a1, a2, a3, a4, a5, a6 uintptr, p1, p2, p3, p4, p5, p6 unsafe.Pointer) (r1, r2, errno uintptr)

// callNow is call for what never blocks.
//
//race:none
func callNow(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2, errno uintptr)

// pointers finds which of the words are addresses of the heap.
//
//race:none
func pointers(a1, a2, a3, a4, a5, a6 uintptr) (p1, p2, p3, p4, p5, p6 unsafe.Pointer)

func Syscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno) {
	return Syscall6(trap, a1, a2, a3, 0, 0, 0)
}

func Syscall6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err Errno) {
	p1, p2, p3, p4, p5, p6 := pointers(a1, a2, a3, a4, a5, a6)
	r1, r2, errno := call(trap, a1, a2, a3, a4, a5, a6, p1, p2, p3, p4, p5, p6)
	return r1, r2, Errno(errno)
}

func RawSyscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno) {
	r1, r2, errno := callNow(trap, a1, a2, a3, 0, 0, 0)
	return r1, r2, Errno(errno)
}

func RawSyscall6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err Errno) {
	r1, r2, errno := callNow(trap, a1, a2, a3, a4, a5, a6)
	return r1, r2, Errno(errno)
}

func rawSyscallNoError(trap, a1, a2, a3 uintptr) (r1, r2 uintptr) {
	r1, r2, _ = callNow(trap, a1, a2, a3, 0, 0, 0)
	return
}

func gettimeofday(tv *Timeval) Errno {
	_, _, e := RawSyscall(SYS_GETTIMEOFDAY, uintptr(unsafe.Pointer(tv)), 0, 0)
	return e
}

// All threads make the call at once in Go. No thread of vole's belongs to a
// goroutine, so those that matter are not known.
func AllThreadsSyscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno) {
	return 0, 0, ENOTSUP
}

func AllThreadsSyscall6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err Errno) {
	return 0, 0, ENOTSUP
}

// Exit is not os.Exit, which in the tree's form of package os calls it.
//
//native os.exit
func Exit(code int)

func Getpagesize() int { return 4096 }

func Getenv(key string) (value string, found bool) { return environ.Lookup(key) }

func Setenv(key, value string) error { return errorOf(environ.Set(key, value)) }

func Unsetenv(key string) error { return errorOf(environ.Unset(key)) }

func Environ() []string { return environ.List() }

func Clearenv() { environ.Clear() }

func runtime_envs() []string { return nil }

func errorOf(errno int) error {
	if errno == 0 {
		return nil
	}
	return Errno(errno)
}

func runtime_BeforeExec() {}

func runtime_AfterExec() {}

func runtime_BeforeFork() {}

func runtime_AfterFork() {}

func runtime_AfterForkInChild() {}

// What a child does before it becomes a program.
const (
	forkSetsid = 1 << iota
	forkSetpgid
	forkSetctty
	forkNoctty
	forkForeground
	forkCredential
	forkSetgroups
)

type forkOptions struct {
	flags     int64
	ctty      int64
	pgid      int64
	pdeathsig int64
	uid, gid  int64
	groups    []uint32
}

// fork starts a process that changes itself as the options say and becomes the
// program. That happens in C: the child of a process with threads may do little
// else. What fails there, the child writes to the pipe.
//
//race:reads argv0:1, reads argv, reads envv, reads chroot:1, reads dir:1, reads files, reads opt
func fork(argv0 *byte, argv, envv []*byte, chroot, dir *byte, files []int64, opt *forkOptions, pipe int) (pid, errno int)

func forkAndExecInChild(argv0 *byte, argv, envv []*byte, chroot, dir *byte, attr *ProcAttr, sys *SysProcAttr, pipe int) (pid int, err Errno) {
	if sys.Ptrace || sys.Cloneflags != 0 || sys.Unshareflags != 0 || sys.UidMappings != nil ||
		sys.GidMappings != nil || sys.AmbientCaps != nil {
		return 0, ENOTSUP
	}
	files := make([]int64, len(attr.Files))
	for i, fd := range attr.Files {
		files[i] = int64(int32(fd))
	}
	opt := &forkOptions{ctty: int64(sys.Ctty), pgid: int64(sys.Pgid), pdeathsig: int64(sys.Pdeathsig)}
	for i, on := range [...]bool{sys.Setsid, sys.Setpgid, sys.Setctty, sys.Noctty, sys.Foreground,
		sys.Credential != nil, sys.Credential != nil && !sys.Credential.NoSetGroups} {
		if on {
			opt.flags |= 1 << i
		}
	}
	if cred := sys.Credential; cred != nil {
		opt.uid, opt.gid, opt.groups = int64(cred.Uid), int64(cred.Gid), cred.Groups
	}
	pid, errno := fork(argv0, argv, envv, chroot, dir, files, opt, pipe)
	return pid, Errno(errno)
}
