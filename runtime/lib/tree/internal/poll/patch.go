// SPDX-License-Identifier: MIT

// Package poll waits for descriptors. Here that is Go over epoll: a goroutine
// of the runtime's own waits for events, and those that want to read or write
// sleep on semaphores until it wakes them. So a goroutine that waits for the
// network holds no thread.
//
// Each descriptor is registered once, for both directions, by edges: an event
// says that something has changed since the last attempt. Who wants to read
// forgets what is known (reset), tries, and only then waits, so that no change
// between the attempt and the wait is lost.
package poll

import (
	"internal/sema"
	"sync"
	"syscall"
	"time"
)

//go:linkname startSystem runtime.startSystem
func startSystem(f func())

//go:linkname nanotime runtime.nanotime
func nanotime() int64

func runtimeNano() int64 { return nanotime() }

// waitIO is why a goroutine waits, in tracebacks: "IO wait".
const waitIO = 14

// A pollSide is one direction of a descriptor.
type pollSide struct {
	ready   bool
	expired bool // the deadline has passed
	waiters int  // that sleep on sema
	sema    uint32
	timer   *time.Timer
	setting uint64 // counts deadlines, so that an old timer does nothing
}

type pollEntry struct {
	mu      sync.Mutex // the rest
	fd      int
	closing bool
	r, w    pollSide
}

// A pollSlot is a place in the table, which the event of a descriptor names
// together with how often the place has been given away.
type pollSlot struct {
	entry *pollEntry // nil: free
	times int32
}

var poller struct {
	mu    sync.Mutex // the rest
	epfd  int
	err   error
	slots []pollSlot
	free  []int32
}

func (e *pollEntry) side(mode int) *pollSide {
	if mode == 'r' {
		return &e.r
	}
	return &e.w
}

// wake lets those go on that wait for s. The caller holds the entry's lock.
func (s *pollSide) wake() {
	for ; s.waiters > 0; s.waiters-- {
		sema.Release(&s.sema, false, 0)
	}
}

// state is what an attempt to use s would end in.
func (e *pollEntry) state(s *pollSide) int {
	if e.closing {
		return pollErrClosing
	}
	if s.expired {
		return pollErrTimeout
	}
	return pollNoError
}

func runtime_pollServerInit() {
	poller.epfd, poller.err = syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if poller.err == nil {
		startSystem(pollLoop)
	}
}

func pollLoop() {
	var events [128]syscall.EpollEvent
	for {
		n, err := syscall.EpollWait(poller.epfd, events[:], -1)
		if err != nil && err != syscall.EINTR {
			panic("poll: epoll_wait: " + err.Error())
		}
		for i := 0; i < n; i++ {
			pollEvent(&events[i])
		}
	}
}

func pollEvent(ev *syscall.EpollEvent) {
	poller.mu.Lock()
	slot := poller.slots[ev.Fd]
	poller.mu.Unlock()
	if slot.entry == nil || slot.times != ev.Pad {
		return // closed meanwhile
	}
	e := slot.entry
	e.mu.Lock()
	defer e.mu.Unlock()
	const bad = syscall.EPOLLHUP | syscall.EPOLLERR
	if ev.Events&(syscall.EPOLLIN|syscall.EPOLLRDHUP|bad) != 0 {
		e.r.ready = true
		e.r.wake()
	}
	if ev.Events&(syscall.EPOLLOUT|bad) != 0 {
		e.w.ready = true
		e.w.wake()
	}
}

// take finds a place for a descriptor.
func take(e *pollEntry) (at, times int32) {
	poller.mu.Lock()
	defer poller.mu.Unlock()
	if n := len(poller.free); n > 0 {
		at = poller.free[n-1]
		poller.free = poller.free[:n-1]
	} else {
		at = int32(len(poller.slots))
		poller.slots = append(poller.slots, pollSlot{})
	}
	slot := &poller.slots[at]
	slot.times++
	slot.entry = e
	return at, slot.times
}

func giveBack(at int32) {
	poller.mu.Lock()
	defer poller.mu.Unlock()
	poller.slots[at].entry = nil
	poller.free = append(poller.free, at)
}

// entryOf is the descriptor that ctx, which is never 0, stands for.
func entryOf(ctx uintptr) *pollEntry {
	poller.mu.Lock()
	defer poller.mu.Unlock()
	return poller.slots[ctx-1].entry
}

func errnoOf(err error) int {
	if errno, ok := err.(syscall.Errno); ok {
		return int(errno)
	}
	return int(syscall.EINVAL)
}

func runtime_pollOpen(fd uintptr) (uintptr, int) {
	if poller.err != nil {
		return 0, errnoOf(poller.err)
	}
	at, times := take(&pollEntry{fd: int(fd)})
	const edges = 1 << 31 // EPOLLET, which package syscall has as a negative number
	ev := syscall.EpollEvent{Fd: at, Pad: times,
		Events: syscall.EPOLLIN | syscall.EPOLLOUT | syscall.EPOLLRDHUP | edges}
	if err := syscall.EpollCtl(poller.epfd, syscall.EPOLL_CTL_ADD, int(fd), &ev); err != nil {
		giveBack(at)
		return 0, errnoOf(err)
	}
	return uintptr(at) + 1, 0
}

func runtime_pollClose(ctx uintptr) {
	var ev syscall.EpollEvent
	syscall.EpollCtl(poller.epfd, syscall.EPOLL_CTL_DEL, entryOf(ctx).fd, &ev)
	giveBack(int32(ctx - 1))
}

func runtime_pollReset(ctx uintptr, mode int) int {
	e := entryOf(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.side(mode)
	state := e.state(s)
	if state == pollNoError {
		s.ready = false
	}
	return state
}

func runtime_pollWait(ctx uintptr, mode int) int { return wait(entryOf(ctx), mode, false) }

// runtime_pollWaitCanceled waits for what was begun before the descriptor was
// closed or its deadline passed.
func runtime_pollWaitCanceled(ctx uintptr, mode int) { wait(entryOf(ctx), mode, true) }

func wait(e *pollEntry, mode int, canceled bool) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.side(mode)
	for {
		if state := e.state(s); state != pollNoError && !canceled {
			return state
		}
		if s.ready {
			s.ready = false
			return pollNoError
		}
		s.waiters++
		e.mu.Unlock()
		sema.Acquire(&s.sema, false, waitIO)
		e.mu.Lock()
	}
}

func runtime_pollSetDeadline(ctx uintptr, d int64, mode int) {
	e := entryOf(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	if mode == 'r' || mode == 'r'+'w' {
		e.setDeadline(&e.r, d)
	}
	if mode == 'w' || mode == 'r'+'w' {
		e.setDeadline(&e.w, d)
	}
}

// setDeadline ends waits for s in d nanoseconds; 0 is never, and below 0 is
// now.
func (e *pollEntry) setDeadline(s *pollSide, d int64) {
	if e.closing {
		return
	}
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	s.setting++
	s.expired = d < 0
	if s.expired {
		s.wake()
	}
	if d <= 0 {
		return
	}
	setting := s.setting
	s.timer = time.AfterFunc(time.Duration(d), func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if s.setting == setting {
			s.expired = true
			s.wake()
		}
	})
}

func runtime_pollUnblock(ctx uintptr) {
	e := entryOf(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closing = true
	for _, s := range []*pollSide{&e.r, &e.w} {
		s.setting++
		if s.timer != nil {
			s.timer.Stop()
			s.timer = nil
		}
		s.wake()
	}
}

func runtime_isPollServerDescriptor(fd uintptr) bool {
	return poller.err == nil && int(fd) == poller.epfd
}

func runtime_Semacquire(addr *uint32) { sema.Acquire(addr, false, sema.Semacquire) }

func runtime_Semrelease(addr *uint32) { sema.Release(addr, false, 0) }

// Package os has these, too.

//go:linkname ErrDeadlineExceeded os.ErrDeadlineExceeded
var ErrDeadlineExceeded error

//go:linkname ErrNoDeadline os.ErrNoDeadline
var ErrNoDeadline error
