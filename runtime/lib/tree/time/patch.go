// SPDX-License-Identifier: MIT

// Package time: clocks and timers are the scheduler's, as in vole's own form
// of the package, whose natives these are. A Time has the same layout in both.
package time

//native time.Sleep
func Sleep(d Duration)

//native time.now
func now() (sec int64, nsec int32, mono int64)

//native time.now
func runtimeNow() (sec int64, nsec int32, mono int64)

//native time.monotonic
func runtimeNano() int64

//native time.inBubble
//race:none
func runtimeIsBubbled() bool

//native time.newTimer
func makeTimer(loc *Location, start int64, f func(), by func(func())) chan Time

//native time.setTimer
func armTimer(c chan Time, d, period int64) bool

//native time.stopTimer
func disarmTimer(c chan Time) bool

func startFunc(f func()) {
	go f()
}

// A Timer is a channel with a timer in it; C is nil where that calls a
// function.
type Timer struct {
	C <-chan Time
	r chan Time // nil if nobody has made the Timer
}

func NewTimer(d Duration) *Timer {
	c := makeTimer(Local, startNano, nil, nil)
	armTimer(c, int64(d), 0)
	return &Timer{c, c}
}

func AfterFunc(d Duration, f func()) *Timer {
	c := makeTimer(nil, 0, f, startFunc)
	armTimer(c, int64(d), 0)
	return &Timer{nil, c}
}

func (t *Timer) Stop() bool {
	if t.r == nil {
		panic("time: Stop called on uninitialized Timer")
	}
	return disarmTimer(t.r)
}

func (t *Timer) Reset(d Duration) bool {
	if t.r == nil {
		panic("time: Reset called on uninitialized Timer")
	}
	return armTimer(t.r, int64(d), 0)
}

func After(d Duration) <-chan Time { return NewTimer(d).C }

type Ticker struct {
	C <-chan Time
	r chan Time // as in Timer
}

func NewTicker(d Duration) *Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	c := makeTimer(Local, startNano, nil, nil)
	armTimer(c, int64(d), int64(d))
	return &Ticker{c, c}
}

func (t *Ticker) Stop() {
	if t.r != nil {
		disarmTimer(t.r)
	}
}

func (t *Ticker) Reset(d Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if t.r == nil {
		panic("time: Reset called on uninitialized Ticker")
	}
	armTimer(t.r, int64(d), int64(d))
}

func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}
