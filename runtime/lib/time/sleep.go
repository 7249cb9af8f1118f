// SPDX-License-Identifier: MIT

package time

// Sleep stops the goroutine for at least d.
func Sleep(d Duration)

// A timer is what the natives (native.c) know of a Timer or Ticker. While
// it is armed the scheduler keeps it alive.
type timer struct {
	lock   uint32    // guards armed
	armed  uintptr   // struct sched_timer, 0 while not armed
	period int64     // nanoseconds, 0 for once
	c      chan Time // where the time is sent,
	f      func()    // or what is started in a goroutine
	loc    *Location // of the times sent
}

// startTimer arms t for d nanoseconds from now; start is when monotonic
// readings begin, by a function that begins with the go statement by which
// t.f seems to be started.
func startTimer(t *timer, d, start int64, by func(func()))

func goFunc(f func()) {
	go f()
}

func (t *timer) arm(d Duration) { startTimer(t, int64(d), start, goFunc) }

// stopTimer disarms t and reports whether it was armed.
func stopTimer(t *timer) bool

// drain removes a time that was sent and not received yet.
func (t *timer) drain() bool {
	if t.c == nil {
		return false
	}
	select {
	case <-t.c:
		return true
	default:
		return false
	}
}

// stop disarms t and makes sure that nothing is received any more; it
// reports whether that prevented something.
func (t *timer) stop() bool {
	armed := stopTimer(t)
	return t.drain() || armed
}

func newTimer(d Duration, period Duration) *timer {
	t := &timer{period: int64(period), c: make(chan Time, 1), loc: Local}
	t.arm(d)
	return t
}

// A Timer is a single event. Unless AfterFunc made it, the time is sent on C
// when it expires.
type Timer struct {
	C <-chan Time
	r *timer
}

// NewTimer returns a Timer that expires after d.
func NewTimer(d Duration) *Timer {
	r := newTimer(d, 0)
	return &Timer{r.c, r}
}

// AfterFunc returns a Timer that calls f in a goroutine of its own when it
// expires after d.
func AfterFunc(d Duration, f func()) *Timer {
	r := &timer{f: f}
	r.arm(d)
	return &Timer{nil, r}
}

// Stop prevents t from firing and reports whether it did; nothing is
// received from t.C afterwards.
func (t *Timer) Stop() bool {
	if t.r == nil {
		panic("time: Stop called on uninitialized Timer")
	}
	return t.r.stop()
}

// Reset makes t expire after d, and reports whether it was running.
func (t *Timer) Reset(d Duration) bool {
	if t.r == nil {
		panic("time: Reset called on uninitialized Timer")
	}
	active := t.r.stop()
	t.r.arm(d)
	return active
}

// After sends the time on the channel after d.
func After(d Duration) <-chan Time { return NewTimer(d).C }

// A Ticker sends the time on C at intervals; slow receivers miss some.
type Ticker struct {
	C <-chan Time
	r *timer
}

// NewTicker returns a Ticker with intervals of d.
func NewTicker(d Duration) *Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	r := newTimer(d, d)
	return &Ticker{r.c, r}
}

// Stop ends the ticks; it does not close the channel.
func (t *Ticker) Stop() {
	if t.r != nil {
		t.r.stop()
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
	t.r.stop()
	t.r.period = int64(d)
	t.r.arm(d)
}

// Tick returns the channel of a new Ticker, nil for d <= 0.
func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}
