// SPDX-License-Identifier: MIT

package testing

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// A T is a test in progress.
type T struct {
	common
	parallel bool
	signal   chan bool // it has ended, or waits for others
	release  chan bool // closed when tests that wait may go on
	waiting  []*T      // parts that wait
}

// An InternalTest is a test by name.
type InternalTest struct {
	Name string
	F    func(*T)
}

// Parallel has the test wait until its parent's other parts have ended, and
// then run together with those that waited too.
func (t *T) Parallel() {
	if t.parallel {
		panic("testing: t.Parallel called multiple times")
	}
	t.parallel = true
	t.spent += time.Since(t.begin)
	t.signal <- true
	<-t.release
	t.begin = time.Now()
}

// Deadline is that of "go test -timeout": there is none.
func (t *T) Deadline() (deadline time.Time, ok bool) { return }

// Run runs f as a part of t and reports whether it succeeded, or waits.
func (t *T) Run(name string, f func(t *T)) bool {
	sub := &T{signal: make(chan bool, 1), release: make(chan bool)}
	sub.name = t.partName(name)
	sub.parent = &t.common
	sub.depth = t.depth + 1
	go sub.main(f)
	<-sub.signal
	if sub.parallel {
		t.waiting = append(t.waiting, sub)
	} else {
		t.take(sub)
	}
	return !sub.Failed()
}

// take adds the report of a part that has ended.
func (t *T) take(sub *T) {
	t.mu.Lock()
	t.output = append(t.output, sub.report()...)
	t.mu.Unlock()
}

// main runs a test in its own goroutine.
func (t *T) main(f func(*T)) {
	t.begin = time.Now()
	defer t.end()
	f(t)
	t.finished = true
}

// end runs deferred by main; a panic goes on after it.
func (t *T) end() {
	if !t.finished {
		if err := recover(); err != nil {
			t.Fail()
			os.Stdout.Write(t.report())
			panic(err)
		}
		t.Fail()
		t.log("test executed panic(nil) or runtime.Goexit")
	}
	t.spent += time.Since(t.begin)
	for _, sub := range t.waiting {
		close(sub.release)
	}
	for _, sub := range t.waiting {
		<-sub.signal
		t.take(sub)
	}
	t.cleanup()
	t.signal <- true
}

// report is the result, if it failed, and the lines that were logged.
func (t *T) report() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.failed {
		return nil
	}
	indent := strings.Repeat("    ", t.depth)
	out := fmt.Sprintf("%s--- FAIL: %s (%.2fs)\n", indent, t.name, t.spent.Seconds())
	text := strings.TrimSuffix(string(t.output), "\n")
	if text != "" {
		for _, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "--- FAIL: ") {
				out += line + "\n"
			} else {
				out += indent + line + "\n"
			}
		}
	}
	return []byte(out)
}

// RunTests runs the tests, prints those that fail, and reports whether all
// succeeded.
func RunTests(matchString func(pat, str string) (bool, error), tests []InternalTest) (ok bool) {
	root := &T{signal: make(chan bool, 1), release: make(chan bool)}
	root.depth = -1
	go root.main(func(root *T) {
		for _, test := range tests {
			root.Run(test.Name, test.F)
		}
	})
	<-root.signal
	os.Stdout.Write(root.output)
	return !root.Failed()
}
