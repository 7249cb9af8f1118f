// SPDX-License-Identifier: MIT

// Package oserror has the errors that packages syscall, io/fs and os share.
package oserror

import "errors"

var (
	ErrInvalid    = errors.New("invalid argument")
	ErrPermission = errors.New("permission denied")
	ErrExist      = errors.New("file already exists")
	ErrNotExist   = errors.New("file does not exist")
	ErrClosed     = errors.New("file already closed")
)

// Of packages os and internal/poll, each of which may be the tree's or not.
var (
	ErrNoDeadline             = errors.New("file type does not support deadline")
	ErrDeadlineExceeded error = &DeadlineExceededError{}
)

// A DeadlineExceededError says that the time of a descriptor is over.
type DeadlineExceededError struct{}

func (*DeadlineExceededError) Error() string   { return "i/o timeout" }
func (*DeadlineExceededError) Timeout() bool   { return true }
func (*DeadlineExceededError) Temporary() bool { return true }
