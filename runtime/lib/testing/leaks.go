// SPDX-License-Identifier: MIT

package testing

import (
	"os"
	"runtime"
	"sort"
	"strings"
	"time"
)

// Goroutines that a test has begun may need a moment to end. Where time is
// virtual it costs nothing.
const (
	leakPatience = time.Second
	leakFirstNap = time.Millisecond
)

// daemons are functions whose goroutines stay, whoever began them: the library
// keeps them for later.
var daemons = []string{
	"internal/poll.",
	"net/http.(*persistConn).readLoop(",
	"net/http.(*persistConn).writeLoop(",
	"net/http.(*http2clientConnReadLoop)",
	"os/signal.",
}

// goroutines has the tracebacks of all goroutines but the caller's, by number.
func goroutines() map[string]string {
	buf := make([]byte, 1<<16)
	n := runtime.Stack(buf, true)
	for n == len(buf) {
		buf = make([]byte, 2*len(buf))
		n = runtime.Stack(buf, true)
	}
	found := map[string]string{}
	for i, text := range strings.Split(string(buf[:n]), "\n\n") {
		if i > 0 {
			found[numberOf(text)] = strings.TrimSuffix(text, "\n")
		}
	}
	return found
}

// lookForLeaks fails a test that has left goroutines behind. Tests that run in
// parallel are looked at all at once, when the last one has ended, and so by
// the root.
func (t *T) lookForLeaks() {
	root := t.parent == nil
	if !opt.leaks || t.parallel || t.level > 1 || root && len(t.waiting) == 0 {
		return
	}
	left := leftBehind(t.run.known(t.before))
	if len(left) == 0 {
		return
	}
	t.Fail()
	text := "goroutines are left behind:\n\n" + strings.Join(left, "\n\n") + "\n"
	if !root {
		t.run.told = append(t.run.told, left...)
		t.write("    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n")
		return
	}
	var names []string
	for _, sub := range t.waiting {
		names = append(names, sub.name)
	}
	os.Stdout.WriteString("--- FAIL: " + strings.Join(names, ", ") + ": " + text)
}

// known adds what sequential tests were blamed for to what was there before.
func (r *running) known(before map[string]string) map[string]string {
	for _, text := range r.told {
		before[numberOf(text)] = text
	}
	return before
}

// numberOf is the number of the goroutine that a traceback is of.
func numberOf(text string) string {
	number, _, _ := strings.Cut(strings.TrimPrefix(text, "goroutine "), " ")
	return number
}

// leftBehind has the tracebacks of goroutines that are neither in before nor
// the library's own, after all that want to have ended.
func leftBehind(before map[string]string) []string {
	var left []string
	waited := time.Duration(0)
	for nap := leakFirstNap; ; nap *= 2 {
		left = left[:0]
		for number, text := range goroutines() {
			if _, old := before[number]; !old && !isDaemon(text) {
				left = append(left, text)
			}
		}
		if len(left) == 0 || waited >= leakPatience {
			sort.Strings(left)
			return left
		}
		runtime.Gosched()
		time.Sleep(nap)
		waited += nap
	}
}

func isDaemon(text string) bool {
	for _, name := range daemons {
		if strings.Contains(text, "\n"+name) {
			return true
		}
	}
	return false
}
