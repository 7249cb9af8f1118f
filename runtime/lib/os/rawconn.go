// SPDX-License-Identifier: MIT

package os

import "syscall"

// rawConn gives functions the descriptor of a file.
type rawConn struct {
	file *File
}

// SyscallConn is for those who make system calls with the descriptor.
func (f *File) SyscallConn() (syscall.RawConn, error) {
	if err := f.valid("SyscallConn"); err != nil {
		return nil, err
	}
	return &rawConn{f}, nil
}

func (c *rawConn) Control(f func(fd uintptr)) error {
	if err := c.file.valid("Control"); err != nil {
		return err
	}
	f(uintptr(c.file.fd))
	return nil
}

// Read calls f until it says that it is done. A file's descriptor blocks, so
// that there is nothing to wait for between two calls.
func (c *rawConn) Read(f func(fd uintptr) bool) error {
	return c.repeat("Read", f)
}

func (c *rawConn) Write(f func(fd uintptr) bool) error {
	return c.repeat("Write", f)
}

func (c *rawConn) repeat(op string, f func(fd uintptr) bool) error {
	for {
		if err := c.file.valid(op); err != nil {
			return err
		}
		if f(uintptr(c.file.fd)) {
			return nil
		}
	}
}
