// SPDX-License-Identifier: MIT

// Package syscall has the operating system's error numbers, signals and file
// flags (Linux, x86-64).
package syscall

import (
	"errors"
	"internal/oserror"
)

// An Errno is an error number of the operating system.
type Errno uintptr

func (e Errno) Error() string { return errnoText(int(e)) }

// Is makes errors.Is work with the errors of package os.
func (e Errno) Is(target error) bool {
	switch target {
	case oserror.ErrPermission:
		return e == EACCES || e == EPERM
	case oserror.ErrExist:
		return e == EEXIST || e == ENOTEMPTY
	case oserror.ErrNotExist:
		return e == ENOENT
	case errors.ErrUnsupported:
		return e == ENOSYS || e == EOPNOTSUPP
	}
	return false
}

// Temporary reports whether trying again may help.
func (e Errno) Temporary() bool {
	return e == EINTR || e == EMFILE || e == ENFILE || e.Timeout()
}

// Timeout reports whether time ran out.
func (e Errno) Timeout() bool { return e == EAGAIN || e == ETIMEDOUT }

// Error numbers.
const (
	EPERM        Errno = 1
	ENOENT       Errno = 2
	ESRCH        Errno = 3
	EINTR        Errno = 4
	EIO          Errno = 5
	ENXIO        Errno = 6
	E2BIG        Errno = 7
	ENOEXEC      Errno = 8
	EBADF        Errno = 9
	ECHILD       Errno = 10
	EAGAIN       Errno = 11
	EWOULDBLOCK  Errno = 11
	ENOMEM       Errno = 12
	EACCES       Errno = 13
	EFAULT       Errno = 14
	EBUSY        Errno = 16
	EEXIST       Errno = 17
	EXDEV        Errno = 18
	ENODEV       Errno = 19
	ENOTDIR      Errno = 20
	EISDIR       Errno = 21
	EINVAL       Errno = 22
	ENFILE       Errno = 23
	EMFILE       Errno = 24
	ENOTTY       Errno = 25
	ETXTBSY      Errno = 26
	EFBIG        Errno = 27
	ENOSPC       Errno = 28
	ESPIPE       Errno = 29
	EROFS        Errno = 30
	EMLINK       Errno = 31
	EPIPE        Errno = 32
	EDOM         Errno = 33
	ERANGE       Errno = 34
	EDEADLK      Errno = 35
	ENAMETOOLONG Errno = 36
	ENOSYS       Errno = 38
	ENOTEMPTY    Errno = 39
	ELOOP        Errno = 40
	EOPNOTSUPP   Errno = 95
	ENOTSUP      Errno = 95
	EADDRINUSE   Errno = 98
	ECONNREFUSED Errno = 111
	ETIMEDOUT    Errno = 110
)

// Flags of open.
const (
	O_RDONLY  = 0x0
	O_WRONLY  = 0x1
	O_RDWR    = 0x2
	O_CREAT   = 0x40
	O_EXCL    = 0x80
	O_TRUNC   = 0x200
	O_APPEND  = 0x400
	O_SYNC    = 0x101000
	O_CLOEXEC = 0x80000
)

// A Signal is a signal's number.
type Signal int

func (s Signal) Signal() {}

func (s Signal) String() string { return signalText(int(s)) }

// Signals.
const (
	SIGHUP  Signal = 1
	SIGINT  Signal = 2
	SIGQUIT Signal = 3
	SIGILL  Signal = 4
	SIGTRAP Signal = 5
	SIGABRT Signal = 6
	SIGBUS  Signal = 7
	SIGFPE  Signal = 8
	SIGKILL Signal = 9
	SIGUSR1 Signal = 10
	SIGSEGV Signal = 11
	SIGUSR2 Signal = 12
	SIGPIPE Signal = 13
	SIGALRM Signal = 14
	SIGTERM Signal = 15
)

// The standard streams.
var (
	Stdin  = 0
	Stdout = 1
	Stderr = 2
)

// Getpagesize is the size of a page of memory in bytes.
func Getpagesize() int { return 4096 }
