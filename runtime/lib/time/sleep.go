// SPDX-License-Identifier: MIT

package time

// Sleep stops the goroutine for at least d.
//
//race:none
func Sleep(d Duration)

// newTimer returns a channel with a timer that is not set. If f is nil it
// sends the time, with readings of the monotonic clock that began at start;
// else it calls f in a goroutine that seems to be started by the go statement
// with which by begins.
//
//race:orders
func newTimer(loc *Location, start int64, f func(), by func(func())) chan Time

// setTimer makes the timer of c expire d nanoseconds from now and then, if
// period is not 0, each period nanoseconds. Nothing is received that has been
// sent before. It reports whether that, or setting the timer, prevented
// something.
//
//race:orders
func setTimer(c chan Time, d, period int64) bool

// stopTimer stops the timer of c; otherwise as setTimer.
//
//race:orders
func stopTimer(c chan Time) bool

func goFunc(f func()) {
	go f()
}

// A Timer is a single event. Unless AfterFunc made it, the time is sent on C
// when it expires.
type Timer struct {
	C <-chan Time
	r chan Time // nil if the Timer was not made by this package
}

// NewTimer returns a Timer that expires after d.
func NewTimer(d Duration) *Timer {
	c := newTimer(Local, start, nil, nil)
	setTimer(c, int64(d), 0)
	return &Timer{c, c}
}

// AfterFunc returns a Timer that calls f in a goroutine of its own when it
// expires after d.
func AfterFunc(d Duration, f func()) *Timer {
	c := newTimer(nil, 0, f, goFunc)
	setTimer(c, int64(d), 0)
	return &Timer{nil, c}
}

// Stop prevents t from firing and reports whether it did; nothing is
// received from t.C afterwards.
func (t *Timer) Stop() bool {
	if t.r == nil {
		panic("time: Stop called on uninitialized Timer")
	}
	return stopTimer(t.r)
}

// Reset makes t expire after d, and reports whether it was running.
func (t *Timer) Reset(d Duration) bool {
	if t.r == nil {
		panic("time: Reset called on uninitialized Timer")
	}
	return setTimer(t.r, int64(d), 0)
}

// After sends the time on the channel after d.
func After(d Duration) <-chan Time { return NewTimer(d).C }

// A Ticker sends the time on C at intervals; slow receivers miss some.
type Ticker struct {
	C <-chan Time
	r chan Time // as in Timer
}

// NewTicker returns a Ticker with intervals of d.
func NewTicker(d Duration) *Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	c := newTimer(Local, start, nil, nil)
	setTimer(c, int64(d), int64(d))
	return &Ticker{c, c}
}

// Stop ends the ticks; it does not close the channel.
func (t *Ticker) Stop() {
	if t.r != nil {
		stopTimer(t.r)
	}
}

// Reset changes the interval to d, from now on.
func (t *Ticker) Reset(d Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if t.r == nil {
		panic("time: Reset called on uninitialized Ticker")
	}
	setTimer(t.r, int64(d), int64(d))
}

// Tick returns the channel of a new Ticker, nil for d <= 0.
func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}
