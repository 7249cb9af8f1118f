// SPDX-License-Identifier: MIT

package os

import (
	"sync"
	"syscall"
)

// rawConn gives functions the descriptor of a file.
type rawConn struct {
	file *File
}

// SyscallConn is for those who make system calls with the descriptor.
func (f *File) SyscallConn() (syscall.RawConn, error) {
	if err := f.begin("SyscallConn"); err != nil {
		return nil, err
	}
	f.end()
	return &rawConn{f}, nil
}

func (c *rawConn) Control(f func(fd uintptr)) error {
	if err := c.file.beginRaw(); err != nil {
		return err
	}
	defer c.file.end()
	f(uintptr(c.file.fd))
	return nil
}

// Read calls f until it says that it is done, and waits between two calls.
func (c *rawConn) Read(f func(fd uintptr) bool) error {
	return c.repeat('r', &c.file.poll.r, f)
}

func (c *rawConn) Write(f func(fd uintptr) bool) error {
	return c.repeat('w', &c.file.poll.w, f)
}

func (c *rawConn) repeat(mode int, mu *sync.Mutex, f func(fd uintptr) bool) error {
	if err := c.file.beginRaw(); err != nil {
		return err
	}
	defer c.file.end()
	mu.Lock()
	defer mu.Unlock()
	err := c.file.poll.prepare(mode)
	for err == nil && !f(uintptr(c.file.fd)) {
		err = c.file.poll.wait(mode)
	}
	if err == ErrClosed {
		return errClosing
	}
	return err
}
