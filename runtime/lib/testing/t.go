// SPDX-License-Identifier: MIT

package testing

import (
	"context"
	"fmt"
	"internal/race"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	_ "unsafe" // for go:linkname
)

// How many tests have begun and ended to run together with others.
var parallelStart, parallelStop atomic.Int64

// A T is a test in progress.
type T struct {
	common
	run    *running
	before map[string]string // goroutines that there were, with -leaks
}

// An InternalTest is a test by name.
type InternalTest struct {
	Name string
	F    func(*T)
}

// running is what the tests of one round share.
type running struct {
	match  *matcher
	mu     sync.Mutex
	slots  chan bool // one for each that runs in parallel
	tests  map[string]time.Time
	failed atomic.Bool // and -failfast
	told   []string    // goroutines that tests have been blamed for
}

func newRunning(m *matcher) *running {
	r := &running{match: m, slots: make(chan bool, opt.parallel), tests: map[string]time.Time{}}
	r.slots <- true // the root's
	return r
}

// begin and end keep the list for a message about time that is over.
func (r *running) begin(name string) {
	r.mu.Lock()
	r.tests[name] = time.Now()
	r.mu.Unlock()
}

func (r *running) end(name string) {
	r.mu.Lock()
	delete(r.tests, name)
	r.mu.Unlock()
}

// stopped tells whether -failfast lets no further test begin.
func (r *running) stopped() bool { return opt.failFast && r.failed.Load() }

// deny panics if t belongs to a bubble: what must not be called there.
func (t *T) deny(what string) {
	if t.bubble {
		panic("testing: t." + what + " called inside synctest bubble")
	}
}

// Parallel has the test wait until its parent's other parts have ended, and
// then run together with those that waited too.
func (t *T) Parallel() {
	t.deny("Parallel")
	if t.parallel {
		panic("testing: t.Parallel called multiple times")
	}
	if t.denied != "" { // subtests may: the test waits for them
		panic(parallelConflict)
	}
	if t.parent == nil || t.parent.barrier == nil {
		return
	}
	t.parallel = true
	t.spent += time.Since(t.begin)
	t.parent.mu.Lock()
	t.parent.waiting = append(t.parent.waiting, t)
	t.parent.mu.Unlock()
	if t.talk != nil {
		t.talk.update(t.name, "=== PAUSE "+t.name+"\n")
	}
	t.run.end(t.name)
	t.signal <- true
	<-t.parent.barrier
	t.run.slots <- true
	parallelStart.Add(1)
	if t.talk != nil {
		t.talk.update(t.name, "=== CONT  "+t.name+"\n")
	}
	t.run.begin(t.name)
	t.begin = time.Now()
	if race.Enabled {
		t.races.Store(int64(race.Errors()))
	}
}

// Deadline is when -timeout ends the program.
func (t *T) Deadline() (deadline time.Time, ok bool) {
	t.deny("Deadline")
	return opt.deadline, !opt.deadline.IsZero()
}

// Run runs f as a part of t and reports whether it succeeded, or waits.
func (t *T) Run(name string, f func(t *T)) bool {
	t.deny("Run")
	if t.cleaning {
		panic("testing: t.Run called during t.Cleanup")
	}
	t.hasSub = true
	full, ok, _ := t.run.match.fullName(&t.common, name)
	if !ok || t.run.stopped() {
		return true
	}
	sub := &T{run: t.run}
	sub.name = full
	sub.parent = &t.common
	sub.level = t.level + 1
	sub.talk = t.talk
	sub.signal = make(chan bool, 1)
	sub.barrier = make(chan bool)
	if sub.talk != nil {
		sub.talk.update(full, "=== RUN   "+full+"\n")
	}
	t.run.begin(full)
	go tRunner(sub, f)
	if !<-sub.signal {
		// It ended the whole test by FailNow of its parent.
		runtime.Goexit()
	}
	if t.talk != nil && opt.v.json {
		t.talk.update(t.name, "=== NAME  "+t.name+"\n")
	}
	return !sub.Failed()
}

// testingSynctestTest is what synctest.Test calls in a bubble: f with a T of its own, which
// is t to the rest of the world. It reports whether f succeeded.
//
//go:linkname testingSynctestTest testing/synctest.testingSynctestTest
func testingSynctestTest(t *T, f func(*T)) bool {
	if t.cleaning {
		panic("testing: synctest.Run called during t.Cleanup")
	}
	sub := &T{run: t.run}
	sub.name = t.name
	sub.parent = &t.common
	sub.level = t.level + 1
	sub.talk = t.talk
	sub.bubble = true
	sub.signal = make(chan bool, 1)
	sub.barrier = make(chan bool)
	// Made here, it belongs to the bubble.
	sub.ctx, sub.cancel = context.WithCancel(context.Background())
	go tRunner(sub, f)
	if !<-sub.signal {
		runtime.Goexit()
	}
	return !sub.Failed()
}

// lookForRaces fails a test during which a race was reported; those that it is
// a part of fail with it and need not say so, too. Of parallel tests all fail
// that ran then.
func (t *T) lookForRaces() {
	n := int64(race.Errors())
	if n <= t.races.Load() {
		return
	}
	t.Errorf("race detected during execution of test")
	for c := &t.common; c != nil; c = c.parent {
		c.races.Store(n)
	}
}

// end runs deferred by tRunner; a panic goes on after it.
func (t *T) end() {
	if race.Enabled {
		t.lookForRaces()
	}
	if t.Failed() {
		t.run.failed.Store(true)
	}
	err := recover()
	signal := true
	t.mu.Lock()
	finished := t.finished
	t.mu.Unlock()
	if !finished && err == nil {
		err = "test executed panic(nil) or runtime.Goexit"
		for p := t.parent; p != nil; p = p.parent {
			p.mu.Lock()
			over := p.finished
			p.mu.Unlock()
			if over && !t.parallel {
				t.Errorf("%v: subtest may have called FailNow on a parent test", err)
				err, signal = nil, false
				break
			}
		}
	}
	if err != nil {
		t.die(err)
	}
	t.spent += time.Since(t.begin)
	if len(t.waiting) > 0 {
		<-t.run.slots
		close(t.barrier)
		for _, sub := range t.waiting {
			<-sub.signal
		}
		begin := time.Now()
		t.runCleanup()
		t.spent += time.Since(begin)
		if !t.parallel {
			t.run.slots <- true
		} else {
			parallelStop.Add(1)
		}
	} else if t.parallel {
		<-t.run.slots
		parallelStop.Add(1)
	}
	if !t.bubble {
		t.run.end(t.name)
		t.lookForLeaks()
	}
	t.report()
	t.mu.Lock()
	t.done = true
	sub := t.hasSub
	t.mu.Unlock()
	if t.parent != nil && !sub {
		t.setRan()
	}
	t.signal <- signal
}

// runCleanup is cleanup where there is no tRunner around it that would report a
// panic.
func (t *T) runCleanup() {
	defer func() {
		if err := recover(); err != nil {
			t.die(err)
		}
	}()
	t.cleanup()
}

// die reports a test that panics, with those around it, and panics again.
func (t *T) die(err any) {
	t.Fail()
	if t.bubble {
		panic(err)
	}
	t.spent += time.Since(t.begin)
	t.mu.Lock()
	t.cleanups = nil
	t.mu.Unlock()
	t.report()
	for c := t.parent; c != nil && c.parent != nil; c = c.parent {
		c.spent += time.Since(c.begin)
		c.report()
	}
	panic(err)
}

// RunTests runs the tests, prints those that fail, and reports whether all
// succeeded.
func RunTests(matchString func(pat, str string) (bool, error), tests []InternalTest) (ok bool) {
	if opt.parallel == 0 {
		opt.parallel = runtime.GOMAXPROCS(0)
	}
	ran, ok := runTests(newMatcher(matchString, opt.run, "-test.run", opt.skip), tests)
	if !ran && !opt.benchOnly() {
		fmt.Fprintln(os.Stderr, "testing: warning: no tests to run")
	}
	return ok
}

// runTests does so for each of -cpu as often as -count says.
func runTests(m *matcher, tests []InternalTest) (ran, ok bool) {
	ok = true
	for _, procs := range opt.cpus() {
		runtime.GOMAXPROCS(procs)
		for i := 0; i < opt.count; i++ {
			if i > 0 && !ran {
				break // there is nothing to run
			}
			m.clear()
			root := &T{run: newRunning(m)}
			root.signal = make(chan bool, 1)
			root.barrier = make(chan bool)
			if opt.verbose() {
				root.talk = talk
			}
			current.Store(root.run)
			tRunner(root, func(t *T) {
				for _, test := range tests {
					t.Run(test.Name, test.F)
				}
			})
			<-root.signal
			ok = ok && !root.Failed()
			ran = ran || root.ran
			if opt.failFast && !ok {
				return ran, ok
			}
		}
	}
	return ran, ok
}
