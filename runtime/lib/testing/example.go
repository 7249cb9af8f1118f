// SPDX-License-Identifier: MIT

package testing

import (
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"time"
)

// An InternalExample is an example with the output that its comment promises.
type InternalExample struct {
	Name      string
	F         func()
	Output    string
	Unordered bool
}

// RunExamples runs those that -run chooses.
func RunExamples(matchString func(pat, str string) (bool, error), examples []InternalExample) (ok bool) {
	_, ok = runExamples(newMatcher(matchString, opt.run, "-test.run", opt.skip), examples)
	return ok
}

func runExamples(m *matcher, examples []InternalExample) (ran, ok bool) {
	ok = true
	for i := range examples {
		_, want, _ := m.fullName(nil, examples[i].Name)
		if !want {
			continue
		}
		ran = true
		if !runExample(&examples[i]) {
			ok = false
			if opt.failFast {
				break
			}
		}
	}
	return ran, ok
}

// sortLines is a text with its lines in order.
func sortLines(s string) string {
	lines := strings.Split(s, "\n")
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

// runExample runs one with its standard output caught in a pipe.
func runExample(e *InternalExample) (ok bool) {
	if opt.verbose() {
		talk.update(e.Name, "=== RUN   "+e.Name+"\n")
	}
	old := os.Stdout
	r, w, err := os.Pipe()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	caught := make(chan string)
	go func() {
		var b strings.Builder
		io.Copy(&b, r)
		r.Close()
		caught <- b.String()
	}()
	finished := false
	begin := time.Now()
	os.Stdout = w
	defer func() {
		spent := time.Since(begin)
		w.Close()
		got := <-caught
		os.Stdout = old
		err := recover()
		ok = e.judge(got, spent, finished, err)
	}()
	e.F()
	finished = true
	return
}

// judge reports on an example that has printed a text; one that panicked goes
// on with that.
func (e *InternalExample) judge(stdout string, spent time.Duration, finished bool, err any) bool {
	got, want := strings.TrimSpace(stdout), strings.TrimSpace(e.Output)
	fail := ""
	if e.Unordered {
		if sortLines(got) != sortLines(want) && err == nil {
			fail = fmt.Sprintf("got:\n%s\nwant (unordered):\n%s\n", stdout, e.Output)
		}
	} else if got != want && err == nil {
		fail = fmt.Sprintf("got:\n%s\nwant:\n%s\n", got, want)
	}
	ok := fail == "" && finished && err == nil
	if !ok {
		talk.update(e.Name, fmt.Sprintf("--- FAIL: %s (%s)\n%s", e.Name, seconds(spent), fail))
	} else if opt.verbose() {
		talk.update(e.Name, fmt.Sprintf("--- PASS: %s (%s)\n", e.Name, seconds(spent)))
	}
	if err != nil {
		panic(err)
	}
	if !finished && fail == "" {
		panic("test executed panic(nil) or runtime.Goexit")
	}
	return ok
}
