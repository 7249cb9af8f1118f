// SPDX-License-Identifier: MIT

package os

import (
	"errors"
	"internal/netpoll"
	"internal/sema"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	eagain   = int(syscall.EAGAIN)
	nonblock = 0x800 // O_NONBLOCK
)

// What File.use is made of. The descriptor is closed when the File is and
// nobody uses it any more; its number means something else from then on.
const (
	fileClosed = 1
	fileUser   = 2
)

// A poller is how a File waits for its descriptor without a thread.
type poller struct {
	desc netpoll.Desc // 0: it waits in the kernel
	// One at a time reads, and one writes: the others would not know which of
	// them is to be woken.
	r, w   sync.Mutex
	closed uint32 // a semaphore: the descriptor is closed
}

var (
	errNotPollable = errors.New("not pollable")
	errClosing     = errors.New("use of closed file")
	errNoWait      = errors.New("waiting for unsupported file type")
)

func errnoError(errno int) error {
	if errno == 0 {
		return nil
	}
	return syscall.Errno(errno)
}

// wrap is the PathError of err.
func (f *File) wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	return &PathError{Op: op, Path: f.name, Err: err}
}

// begin is before each use of the descriptor. Where it returns no error, end
// must follow.
func (f *File) begin(op string) error {
	if f == nil {
		return ErrInvalid
	}
	for {
		use := atomic.LoadInt32(&f.use)
		if use&fileClosed != 0 {
			return &PathError{Op: op, Path: f.name, Err: ErrClosed}
		}
		if atomic.CompareAndSwapInt32(&f.use, use, use+fileUser) {
			return nil
		}
	}
}

// beginRaw is begin for what does not say in its errors which file it is.
func (f *File) beginRaw() error {
	if f == nil {
		return ErrInvalid
	}
	if f.begin("") != nil {
		return errClosing
	}
	return nil
}

// end is after each use; the last one after Close closes the descriptor.
func (f *File) end() (errno int) {
	if atomic.AddInt32(&f.use, -fileUser) != fileClosed {
		return 0
	}
	if f.poll.desc != 0 {
		netpoll.Close(f.poll.desc)
	}
	errno = closefd(f.fd)
	sema.Release(&f.poll.closed, false, 0)
	return errno
}

// Close closes the file. Who waits for it goes on, with an error.
func (f *File) Close() error {
	if f == nil {
		return ErrInvalid
	}
	for {
		use := atomic.LoadInt32(&f.use)
		if use&fileClosed != 0 {
			return &PathError{Op: "close", Path: f.name, Err: ErrClosed}
		}
		if atomic.CompareAndSwapInt32(&f.use, use, use|fileClosed) {
			break
		}
	}
	if f.poll.desc != 0 {
		netpoll.Unblock(f.poll.desc)
	}
	errno := f.end()
	if f.poll.desc != 0 && !f.blocks {
		// Nobody waits any more, so it takes no time.
		sema.Acquire(&f.poll.closed, false, sema.Semacquire)
	}
	return f.err("close", errno)
}

// open begins to wait for the descriptor by the netpoller, if that can be.
func (f *File) open() (errno int) {
	f.poll.desc, errno = netpoll.Open(uintptr(f.fd))
	return errno
}

// mayPoll is open for a descriptor that blocks, as pipes and terminals do. By a
// seed they only change when they must: then who waits for whom is known better
// without.
func (f *File) mayPoll(must bool) {
	if netpoll.BySeed() && !must {
		return
	}
	if setNonblock(f.fd, true) != 0 {
		return
	}
	f.ours = true
	if f.open() != 0 {
		setNonblock(f.fd, false)
		f.ours = false
	}
}

// Fd is the descriptor. It blocks from now on, if it does not because of this
// package.
func (f *File) Fd() uintptr {
	if f.begin("fd") != nil {
		return ^uintptr(0)
	}
	defer f.end()
	if f.ours {
		f.blocks = true
		f.ours = false
		setNonblock(f.fd, false)
	}
	return uintptr(f.fd)
}

// pollError is why netpoll does not let an attempt be made.
func pollError(status int) error {
	switch status {
	case netpoll.Ready:
		return nil
	case netpoll.Closing:
		return ErrClosed
	case netpoll.Timeout:
		return ErrDeadlineExceeded
	}
	return errNotPollable
}

// prepare is before attempts to read ('r') or to write.
func (p *poller) prepare(mode int) error {
	if p.desc == 0 {
		return nil
	}
	return pollError(netpoll.Reset(p.desc, mode))
}

// wait is before another attempt.
func (p *poller) wait(mode int) error {
	if p.desc == 0 {
		return errNoWait
	}
	return pollError(netpoll.Wait(p.desc, mode, false))
}

// read is Read of the descriptor; b is not empty.
func (f *File) read(b []byte) (n int, err error) {
	if f.poll.desc == 0 {
		n, errno := read(f.fd, b)
		return n, errnoError(errno)
	}
	f.poll.r.Lock()
	defer f.poll.r.Unlock()
	if err := f.poll.prepare('r'); err != nil {
		return 0, err
	}
	for {
		n, errno := read(f.fd, b)
		if errno != eagain {
			return n, errnoError(errno)
		}
		if err := f.poll.wait('r'); err != nil {
			return 0, err
		}
	}
}

// write is Write to the descriptor.
func (f *File) write(b []byte) (n int, err error) {
	polls := f.poll.desc != 0
	if polls {
		f.poll.w.Lock()
		defer f.poll.w.Unlock()
		if err := f.poll.prepare('w'); err != nil {
			return 0, err
		}
	}
	for {
		k, errno := write(f.fd, b[n:])
		n += k
		if errno == 0 && n >= len(b) {
			return n, nil
		}
		if errno != 0 && (errno != eagain || !polls) {
			return n, syscall.Errno(errno)
		}
		if errno == 0 {
			continue
		}
		if err := f.poll.wait('w'); err != nil {
			return n, err
		}
	}
}

// SetDeadline says until when Read and Write may wait; a zero t is no limit.
// Pipes, terminals and sockets have deadlines, and other files that one can
// wait for.
func (f *File) SetDeadline(t time.Time) error { return f.setDeadline(t, 'r'+'w') }

// SetReadDeadline is SetDeadline for Read.
func (f *File) SetReadDeadline(t time.Time) error { return f.setDeadline(t, 'r') }

// SetWriteDeadline is SetDeadline for Write.
func (f *File) SetWriteDeadline(t time.Time) error { return f.setDeadline(t, 'w') }

func (f *File) setDeadline(t time.Time, mode int) error {
	if err := f.beginRaw(); err != nil {
		return err
	}
	defer f.end()
	if f.poll.desc == 0 && netpoll.BySeed() {
		f.mayPoll(true)
	}
	if f.poll.desc == 0 {
		return ErrNoDeadline
	}
	var ns int64 // none
	if !t.IsZero() {
		if ns = int64(time.Until(t)); ns == 0 {
			ns = -1
		}
	}
	netpoll.SetDeadline(f.poll.desc, ns, mode)
	return nil
}
