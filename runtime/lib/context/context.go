// SPDX-License-Identifier: MIT

// Package context carries cancellation, deadlines and values from calls to
// the calls that they make.
package context

import (
	"errors"
	"sync"
	"time"
)

// A Context can be done, by a deadline or by being canceled, and has values.
type Context interface {
	Deadline() (deadline time.Time, ok bool)
	Done() <-chan struct{}
	Err() error
	Value(key any) any
}

// A CancelFunc cancels a Context; later calls do nothing.
type CancelFunc func()

// A CancelCauseFunc cancels a Context and says why.
type CancelCauseFunc func(cause error)

// Canceled is the Err of a Context that was canceled.
var Canceled = errors.New("context canceled")

// DeadlineExceeded is the Err of a Context whose deadline has passed.
var DeadlineExceeded error = deadlineExceededError{}

type deadlineExceededError struct{}

func (deadlineExceededError) Error() string   { return "context deadline exceeded" }
func (deadlineExceededError) Timeout() bool   { return true }
func (deadlineExceededError) Temporary() bool { return true }

// comparable reports whether x may be compared; typeName is its type as %T
// prints it.
//
//race:none
func comparable(x any) bool

//race:none
func typeName(x any) string

type stringer interface {
	String() string
}

func nameOf(c Context) string {
	if s, ok := c.(stringer); ok {
		return s.String()
	}
	return typeName(c)
}

// emptyCtx is never done and has nothing.
type emptyCtx struct{}

func (emptyCtx) Deadline() (deadline time.Time, ok bool) { return }
func (emptyCtx) Done() <-chan struct{}                   { return nil }
func (emptyCtx) Err() error                              { return nil }
func (emptyCtx) Value(key any) any                       { return nil }

type backgroundCtx struct{ emptyCtx }

func (backgroundCtx) String() string { return "context.Background" }

type todoCtx struct{ emptyCtx }

func (todoCtx) String() string { return "context.TODO" }

// Background returns an empty Context, the root of others.
func Background() Context { return backgroundCtx{} }

// TODO returns an empty Context, for want of the right one.
func TODO() Context { return todoCtx{} }

// A canceler is canceled together with its parent.
type canceler interface {
	cancel(removeFromParent bool, err, cause error)
	Done() <-chan struct{}
}

// cancelKey is the key under which a Context finds its nearest cancelCtx.
type cancelKeyType struct{}

var cancelKey cancelKeyType

// A cancelCtx can be canceled, and cancels its children then.
type cancelCtx struct {
	Context
	done     chan struct{}
	mu       sync.Mutex // guards the rest
	children map[canceler]struct{}
	err      error
	cause    error
}

func (c *cancelCtx) Value(key any) any {
	if key == any(&cancelKey) {
		return c
	}
	return value(c.Context, key)
}

func (c *cancelCtx) Done() <-chan struct{} { return c.done }

func (c *cancelCtx) Err() error {
	c.mu.Lock()
	err := c.err
	c.mu.Unlock()
	return err
}

func (c *cancelCtx) String() string { return nameOf(c.Context) + ".WithCancel" }

// parentCancel returns the cancelCtx that parent is or is derived from; none
// if a Context of another kind between them has a Done of its own.
func parentCancel(parent Context) (*cancelCtx, bool) {
	done := parent.Done()
	if done == nil {
		return nil, false
	}
	p, ok := parent.Value(&cancelKey).(*cancelCtx)
	if !ok || (<-chan struct{})(p.done) != done {
		return nil, false
	}
	return p, true
}

// An afterFuncer is a Context of another package that can call functions
// when it is done.
type afterFuncer interface {
	AfterFunc(func()) func() bool
}

// A stopCtx is the parent of a child that an afterFuncer will cancel.
type stopCtx struct {
	Context
	stop func() bool
}

// propagate arranges for child to be canceled when parent is.
func (c *cancelCtx) propagate(parent Context, child canceler) {
	c.Context = parent
	done := parent.Done()
	if done == nil {
		return
	}
	select {
	case <-done:
		child.cancel(false, parent.Err(), Cause(parent))
		return
	default:
	}
	if p, ok := parentCancel(parent); ok {
		p.mu.Lock()
		if p.err != nil {
			err, cause := p.err, p.cause
			p.mu.Unlock()
			child.cancel(false, err, cause)
			return
		}
		if p.children == nil {
			p.children = make(map[canceler]struct{})
		}
		p.children[child] = struct{}{}
		p.mu.Unlock()
		return
	}
	if a, ok := parent.(afterFuncer); ok {
		c.mu.Lock()
		stop := a.AfterFunc(func() {
			child.cancel(false, parent.Err(), Cause(parent))
		})
		c.Context = stopCtx{parent, stop}
		c.mu.Unlock()
		return
	}
	go func() {
		select {
		case <-parent.Done():
			child.cancel(false, parent.Err(), Cause(parent))
		case <-child.Done():
		}
	}()
}

// cancel makes c done, cancels its children and, if wanted, makes the parent
// forget c.
func (c *cancelCtx) cancel(removeFromParent bool, err, cause error) {
	if err == nil {
		panic("context: internal error: missing cancel error")
	}
	if cause == nil {
		cause = err
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = err
	c.cause = cause
	close(c.done)
	for child := range c.children {
		child.cancel(false, err, cause)
	}
	c.children = nil
	c.mu.Unlock()
	if removeFromParent {
		removeChild(c.Context, c)
	}
}

func removeChild(parent Context, child canceler) {
	if s, ok := parent.(stopCtx); ok {
		s.stop()
		return
	}
	p, ok := parentCancel(parent)
	if !ok {
		return
	}
	p.mu.Lock()
	delete(p.children, child)
	p.mu.Unlock()
}

func newCancel(parent Context) *cancelCtx {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	c := &cancelCtx{done: make(chan struct{})}
	c.propagate(parent, c)
	return c
}

// WithCancel returns a child of parent that cancel cancels.
func WithCancel(parent Context) (ctx Context, cancel CancelFunc) {
	c := newCancel(parent)
	return c, func() { c.cancel(true, Canceled, nil) }
}

// WithCancelCause is WithCancel with a reason, which Cause returns.
func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	c := newCancel(parent)
	return c, func(cause error) { c.cancel(true, Canceled, cause) }
}

// Cause returns why c was canceled, nil if it was not.
func Cause(c Context) error {
	cc, ok := c.Value(&cancelKey).(*cancelCtx)
	if !ok {
		return c.Err()
	}
	cc.mu.Lock()
	cause := cc.cause
	cc.mu.Unlock()
	if cause != nil {
		return cause
	}
	// c may be of another kind, done without its ancestor being so.
	return c.Err()
}

// AfterFunc calls f in a goroutine of its own once ctx is done; stop
// prevents that and reports whether it did.
func AfterFunc(ctx Context, f func()) (stop func() bool) {
	a := &afterFuncCtx{f: f}
	a.done = make(chan struct{})
	a.propagate(ctx, a)
	return func() bool {
		stopped := false
		a.once.Do(func() { stopped = true })
		if stopped {
			a.cancel(true, Canceled, nil)
		}
		return stopped
	}
}

type afterFuncCtx struct {
	cancelCtx
	once sync.Once // either starts f or stops that
	f    func()
}

func (a *afterFuncCtx) cancel(removeFromParent bool, err, cause error) {
	a.cancelCtx.cancel(false, err, cause)
	if removeFromParent {
		removeChild(a.Context, a)
	}
	a.once.Do(func() { go a.f() })
}

// A timerCtx is canceled at a deadline too.
type timerCtx struct {
	cancelCtx
	timer    *time.Timer // guarded by mu
	deadline time.Time
}

func (c *timerCtx) Deadline() (deadline time.Time, ok bool) {
	return c.deadline, true
}

func (c *timerCtx) String() string {
	return nameOf(c.cancelCtx.Context) + ".WithDeadline(" +
		c.deadline.String() + " [" + time.Until(c.deadline).String() + "])"
}

func (c *timerCtx) cancel(removeFromParent bool, err, cause error) {
	c.cancelCtx.cancel(false, err, cause)
	if removeFromParent {
		removeChild(c.cancelCtx.Context, c)
	}
	c.mu.Lock()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	c.mu.Unlock()
}

// WithDeadline returns a child of parent that is done at d, or earlier with
// parent or by cancel.
func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

// WithDeadlineCause is WithDeadline with a cause for when the deadline
// passes.
func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	if cur, ok := parent.Deadline(); ok && cur.Before(d) {
		return WithCancel(parent)
	}
	c := &timerCtx{deadline: d}
	c.done = make(chan struct{})
	c.propagate(parent, c)
	cancel := func() { c.cancel(true, Canceled, nil) }
	left := time.Until(d)
	if left <= 0 {
		c.cancel(true, DeadlineExceeded, cause)
		return c, func() { c.cancel(false, Canceled, nil) }
	}
	c.mu.Lock()
	if c.err == nil {
		c.timer = time.AfterFunc(left, func() {
			c.cancel(true, DeadlineExceeded, cause)
		})
	}
	c.mu.Unlock()
	return c, cancel
}

// WithTimeout is WithDeadline for a time from now.
func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return WithDeadline(parent, time.Now().Add(timeout))
}

// WithTimeoutCause is WithDeadlineCause for a time from now.
func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	return WithDeadlineCause(parent, time.Now().Add(timeout), cause)
}

// WithValue returns a child of parent in which key has the value val.
func WithValue(parent Context, key, val any) Context {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	if key == nil {
		panic("nil key")
	}
	if !comparable(key) {
		panic("key is not comparable")
	}
	return &valueCtx{parent, key, val}
}

type valueCtx struct {
	Context
	key, val any
}

func show(v any) string {
	switch s := v.(type) {
	case stringer:
		return s.String()
	case string:
		return s
	case nil:
		return "<nil>"
	}
	return typeName(v)
}

func (c *valueCtx) String() string {
	return nameOf(c.Context) + ".WithValue(" + show(c.key) + ", " +
		show(c.val) + ")"
}

func (c *valueCtx) Value(key any) any {
	if c.key == key {
		return c.val
	}
	return value(c.Context, key)
}

// WithoutCancel returns a child of parent that is not canceled with it.
func WithoutCancel(parent Context) Context {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	return withoutCancelCtx{parent}
}

type withoutCancelCtx struct {
	c Context
}

func (withoutCancelCtx) Deadline() (deadline time.Time, ok bool) { return }
func (withoutCancelCtx) Done() <-chan struct{}                   { return nil }
func (withoutCancelCtx) Err() error                              { return nil }
func (c withoutCancelCtx) Value(key any) any                     { return value(c, key) }
func (c withoutCancelCtx) String() string                        { return nameOf(c.c) + ".WithoutCancel" }

// value looks a key up in c and its ancestors, without recursion.
func value(c Context, key any) any {
	for {
		switch ctx := c.(type) {
		case *valueCtx:
			if ctx.key == key {
				return ctx.val
			}
			c = ctx.Context
		case *cancelCtx:
			if key == any(&cancelKey) {
				return c
			}
			c = ctx.Context
		case *timerCtx:
			if key == any(&cancelKey) {
				return &ctx.cancelCtx
			}
			c = ctx.Context
		case withoutCancelCtx:
			if key == any(&cancelKey) {
				// Cancellation does not reach through.
				return nil
			}
			c = ctx.c
		case backgroundCtx, todoCtx:
			return nil
		default:
			return c.Value(key)
		}
	}
}
