// SPDX-License-Identifier: MIT

package os

import (
	"errors"
	"internal/oserror"
	"io/fs"
	"syscall"
)

// Errors of this package; use errors.Is.
var (
	ErrInvalid    = fs.ErrInvalid
	ErrPermission = fs.ErrPermission
	ErrExist      = fs.ErrExist
	ErrNotExist   = fs.ErrNotExist
	ErrClosed     = fs.ErrClosed

	ErrNoDeadline       = oserror.ErrNoDeadline
	ErrDeadlineExceeded = oserror.ErrDeadlineExceeded
	ErrProcessDone      = errors.New("os: process already finished")
	ErrNoHandle         = errors.New("process handle unavailable")
)

// PathError says which operation failed on which file, and why.
type PathError = fs.PathError

// SyscallError says which system call failed, and why.
type SyscallError struct {
	Syscall string
	Err     error
}

func (e *SyscallError) Error() string { return e.Syscall + ": " + e.Err.Error() }

func (e *SyscallError) Unwrap() error { return e.Err }

// Timeout reports whether the error is that a time is over.
func (e *SyscallError) Timeout() bool {
	t, ok := e.Err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

// NewSyscallError is nil if err is.
func NewSyscallError(syscall string, err error) error {
	if err == nil {
		return nil
	}
	return &SyscallError{syscall, err}
}

// LinkError says what failed with two names, and why.
type LinkError struct {
	Op  string
	Old string
	New string
	Err error
}

func (e *LinkError) Error() string {
	return e.Op + " " + e.Old + " " + e.New + ": " + e.Err.Error()
}

func (e *LinkError) Unwrap() error { return e.Err }

// cause returns what is inside the errors of this package.
func cause(err error) error {
	switch e := err.(type) {
	case *PathError:
		return e.Err
	case *LinkError:
		return e.Err
	case *SyscallError:
		return e.Err
	}
	return err
}

func is(err, target error) bool {
	err = cause(err)
	if err == target {
		return true
	}
	e, ok := err.(syscall.Errno)
	return ok && e.Is(target)
}

// IsExist reports whether err says that a file exists.
func IsExist(err error) bool { return is(err, ErrExist) }

// IsNotExist reports whether err says that a file does not exist.
func IsNotExist(err error) bool { return is(err, ErrNotExist) }

// IsPermission reports whether err says that something is not permitted.
func IsPermission(err error) bool { return is(err, ErrPermission) }

// IsTimeout reports whether err says that time ran out.
func IsTimeout(err error) bool {
	t, ok := cause(err).(interface{ Timeout() bool })
	return ok && t.Timeout()
}

// pathError is nil if the error number is 0.
func pathError(op, path string, errno int) error {
	if errno == 0 {
		return nil
	}
	return &PathError{Op: op, Path: path, Err: syscall.Errno(errno)}
}
