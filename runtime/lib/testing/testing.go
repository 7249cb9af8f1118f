// SPDX-License-Identifier: MIT

// Package testing runs tests, benchmarks, examples and the seeds of fuzz
// tests. "vole test" makes the program that calls MainStart; other programs
// use it to count allocations and to measure.
package testing

import (
	"context"
	"fmt"
	"internal/race"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
)

// AllocsPerRun calls f once, then runs times, and returns the mean number of
// allocations, rounded down.
func AllocsPerRun(runs int, f func()) (avg float64) {
	if parallelStart.Load() != parallelStop.Load() {
		panic("testing: AllocsPerRun called during parallel test")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	f()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := 0; i < runs; i++ {
		f()
	}
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / uint64(runs))
}

// tRunner runs a test in its own goroutine. Libraries that print where a test
// failed know this name and file, below which they look at no frame.
func tRunner(t *T, f func(*T)) {
	t.begin = time.Now()
	if race.Enabled {
		t.races.Store(int64(race.Errors()))
	}
	if opt.leaks && t.level <= 1 && !t.bubble {
		t.before = goroutines()
	}
	defer t.end()
	defer func() {
		if len(t.waiting) == 0 {
			t.cleanup()
		}
	}()
	f(t)
	t.mu.Lock()
	t.finished = true
	t.mu.Unlock()
}

// TB is what T, B and F have in common.
type TB interface {
	ArtifactDir() string
	Attr(key, value string)
	Chdir(dir string)
	Cleanup(func())
	Context() context.Context
	Error(args ...any)
	Errorf(format string, args ...any)
	Fail()
	FailNow()
	Failed() bool
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Helper()
	Log(args ...any)
	Logf(format string, args ...any)
	Name() string
	Output() io.Writer
	Setenv(key, value string)
	Skip(args ...any)
	SkipNow()
	Skipf(format string, args ...any)
	Skipped() bool
	TempDir() string

	private()
}

// A talker writes what -v shows as it happens. last is the test that the
// line before was about.
type talker struct {
	mu   sync.Mutex
	last string
}

// mark stands in front of lines of the report where a program is to read it,
// which can then tell them from what tests print.
func mark() string {
	if opt.v.json {
		return "\x16"
	}
	return ""
}

// update writes a line that names its test itself.
func (k *talker) update(name, text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last = name
	os.Stdout.WriteString(mark() + text)
}

// log writes what a test says, behind its name if another spoke before.
func (k *talker) log(name, text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.last != name && k.last != "" {
		text = mark() + "=== NAME  " + name + "\n" + text
	}
	k.last = name
	os.Stdout.WriteString(text)
}

// common is the state of a test, benchmark or fuzz test.
type common struct {
	mu       sync.Mutex
	name     string
	parent   *common
	level    int
	output   []byte // of it and of its parts, until it is reported
	failed   bool
	races    atomic.Int64 // reported before it began
	skipped  bool
	finished bool // f returned, or left by FailNow or SkipNow
	done     bool // and all is over
	ran      bool // it or a part of it did run
	hasSub   bool
	bubble   bool            // it is its parent, in a bubble: it has no report
	talk     *talker         // -v; nil without
	helpers  map[string]bool // functions that Helper left out
	cleanups []func()
	cleaning bool
	temps    int
	tempDir  string
	artDir   string
	tempErr  error
	ctx      context.Context
	cancel   func()
	denied   string // why Parallel is not allowed any more
	parallel bool
	begin    time.Time
	spent    time.Duration
	signal   chan bool // it has ended, or waits for others
	barrier  chan bool // closed when parts that wait may go on
	waiting  []*T      // parts that wait
	line     []byte    // of Output, not yet ended
}

func (c *common) private() {}

// Name is that of the test with those that it is a part of.
func (c *common) Name() string { return c.name }

// Helper has log lines name the caller of the function that calls it.
func (c *common) Helper() {
	pc, _, _, ok := runtime.Caller(1)
	if !ok {
		return
	}
	if c.bubble {
		c = c.parent
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.helpers == nil {
		c.helpers = map[string]bool{}
	}
	c.helpers[runtime.FuncForPC(pc).Name()] = true
}

// Fail marks the test as failed; it goes on.
func (c *common) Fail() {
	if c.parent != nil {
		c.parent.Fail()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		panic("Fail in goroutine after " + c.name + " has completed")
	}
	c.failed = true
}

func (c *common) Failed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// FailNow marks the test as failed and ends its goroutine.
func (c *common) FailNow() {
	c.Fail()
	c.mu.Lock()
	c.finished = true
	c.mu.Unlock()
	runtime.Goexit()
}

// SkipNow marks the test as skipped and ends its goroutine.
func (c *common) SkipNow() {
	c.mu.Lock()
	c.skipped = true
	c.finished = true
	c.mu.Unlock()
	runtime.Goexit()
}

func (c *common) Skipped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skipped
}

// isHelper tells whether this test, or one that it is a part of, called Helper
// in the function.
func (c *common) isHelper(fn string) bool {
	for ; c != nil; c = c.parent {
		c.mu.Lock()
		is := c.helpers[fn]
		c.mu.Unlock()
		if is {
			return true
		}
	}
	return false
}

// place is the file and line that a log line names: of the caller of the
// method that logs, without helpers.
func (c *common) place() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(4, pcs[:])])
	first := ""
	for {
		f, more := frames.Next()
		if f.File == "" {
			break
		}
		name := f.File
		if !opt.fullPath {
			name = filepath.Base(name)
		}
		here := fmt.Sprintf("%s:%d", name, f.Line)
		if first == "" {
			first = here
		}
		if strings.HasPrefix(f.Function, "testing.") {
			break // all were helpers
		}
		if !c.isHelper(f.Function) {
			return here
		}
		if !more {
			break
		}
	}
	if first == "" {
		first = "???:1"
	}
	return first
}

// log adds a line with its place. It must be called by the method that the
// test calls.
func (c *common) log(text string) {
	text = strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n        ")
	c.write("    " + c.place() + ": " + text + "\n")
}

// write adds whole lines to what the test says.
func (c *common) write(text string) {
	if c.bubble {
		c.parent.write(text)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		// Whoever is not done yet reports it.
		for p := c.parent; p != nil; p = p.parent {
			p.mu.Lock()
			open := !p.done
			if open {
				p.output = append(p.output, text...)
			}
			p.mu.Unlock()
			if open {
				return
			}
		}
		panic("Log in goroutine after " + c.name + " has completed: " + text)
	}
	if c.talk != nil {
		c.talk.log(c.name, text)
		return
	}
	c.output = append(c.output, text...)
}

func (c *common) Log(args ...any)                 { c.log(fmt.Sprintln(args...)) }
func (c *common) Logf(format string, args ...any) { c.log(fmt.Sprintf(format, args...)) }

func (c *common) Error(args ...any) {
	c.log(fmt.Sprintln(args...))
	c.Fail()
}

func (c *common) Errorf(format string, args ...any) {
	c.log(fmt.Sprintf(format, args...))
	c.Fail()
}

func (c *common) Fatal(args ...any) {
	c.log(fmt.Sprintln(args...))
	c.FailNow()
}

func (c *common) Fatalf(format string, args ...any) {
	c.log(fmt.Sprintf(format, args...))
	c.FailNow()
}

func (c *common) Skip(args ...any) {
	c.log(fmt.Sprintln(args...))
	c.SkipNow()
}

func (c *common) Skipf(format string, args ...any) {
	c.log(fmt.Sprintf(format, args...))
	c.SkipNow()
}

// output is what Output returns: lines without a place.
type output struct{ c *common }

func (o output) Write(p []byte) (int, error) {
	c := o.c
	c.mu.Lock()
	c.line = append(c.line, p...)
	text := ""
	for {
		i := strings.IndexByte(string(c.line), '\n')
		if i < 0 {
			break
		}
		text += "    " + string(c.line[:i+1])
		c.line = c.line[i+1:]
	}
	c.mu.Unlock()
	if text != "" {
		c.write(text)
	}
	return len(p), nil
}

// Output is a writer to what the test says, line by line.
func (c *common) Output() io.Writer { return output{c} }

// flush writes a line that Output has begun.
func (c *common) flush() {
	c.mu.Lock()
	rest := len(c.line) > 0
	c.mu.Unlock()
	if rest {
		c.Output().Write([]byte("\n"))
	}
}

// Attr tells who reads the report of a test a property of it.
func (c *common) Attr(key, value string) {
	if key == "" || strings.ContainsAny(key, " \t\n\r") {
		c.Errorf("disallowed whitespace in attribute key %q", key)
		return
	}
	if strings.ContainsAny(value, "\r\n") {
		c.Errorf("disallowed newline in attribute value %q", value)
		return
	}
	if c.talk != nil {
		c.talk.update(c.name, "=== ATTR  "+c.name+" "+key+" "+value+"\n")
	}
}

// Cleanup has f called at the end, the last one first.
func (c *common) Cleanup(f func()) {
	c.mu.Lock()
	c.cleanups = append(c.cleanups, f)
	c.mu.Unlock()
}

// cleanup calls the functions of Cleanup, those that they add too. One that
// panics or ends the goroutine does not keep the others from being called.
func (c *common) cleanup() {
	c.cleaning = true
	if c.cancel != nil {
		c.cancel()
	}
	defer func() {
		c.mu.Lock()
		more := len(c.cleanups) > 0
		c.mu.Unlock()
		if more {
			c.cleanup()
		}
		c.cleaning = false
	}()
	for {
		c.mu.Lock()
		n := len(c.cleanups)
		if n == 0 {
			c.mu.Unlock()
			return
		}
		f := c.cleanups[n-1]
		c.cleanups = c.cleanups[:n-1]
		c.mu.Unlock()
		f()
	}
}

// Context is done just before the functions of Cleanup are called.
func (c *common) Context() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil {
		c.ctx, c.cancel = context.WithCancel(context.Background())
		if c.cleaning {
			c.cancel()
		}
	}
	return c.ctx
}

// isParallel tells whether this test or one around it runs with others.
func (c *common) isParallel() bool {
	for ; c != nil; c = c.parent {
		if c.parallel {
			return true
		}
	}
	return false
}

const parallelConflict = "testing: test using t.Setenv or t.Chdir can not use t.Parallel"

// alone makes sure that no other test runs while this one changes what all
// share.
func (c *common) alone(what string) {
	if c.isParallel() {
		panic(parallelConflict)
	}
	c.denied = what
}

// Setenv sets an environment variable until the end.
func (c *common) Setenv(key, value string) {
	c.alone("Setenv")
	old, had := os.LookupEnv(key)
	if err := os.Setenv(key, value); err != nil {
		c.Fatalf("cannot set environment variable: %v", err)
	}
	c.Cleanup(func() {
		if had {
			os.Setenv(key, old)
		} else {
			os.Unsetenv(key)
		}
	})
}

// Chdir changes the directory until the end.
func (c *common) Chdir(dir string) {
	c.alone("Chdir")
	old, err := os.Getwd()
	if err == nil {
		err = os.Chdir(dir)
	}
	if err != nil {
		c.Fatal(err)
	}
	pwd, had := os.LookupEnv("PWD")
	if now, err := os.Getwd(); had && err == nil {
		os.Setenv("PWD", now)
	}
	c.Cleanup(func() {
		if had {
			os.Setenv("PWD", pwd)
		}
		if err := os.Chdir(old); err != nil {
			panic("testing.Chdir: " + err.Error())
		}
	})
}

// fileName is the name of a test as that of a file, which cannot be as long.
func (c *common) fileName() string {
	return strings.Map(func(r rune) rune {
		const allowed = "!#$%&()+,-.=@^_{}~ "
		if unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune(allowed, r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(c.name[:min(len(c.name), 64)], ""))
}

// TempDir makes a directory that is removed at the end.
func (c *common) TempDir() string {
	c.mu.Lock()
	if c.tempDir != "" {
		// A function of Cleanup, or a benchmark's next round, wants one anew.
		if _, err := os.Stat(c.tempDir); os.IsNotExist(err) {
			c.tempDir = ""
		}
	}
	if c.tempDir == "" && c.tempErr == nil {
		dir, err := os.MkdirTemp(os.Getenv("GOTMPDIR"), c.fileName())
		c.tempErr = err
		c.tempDir = dir
		if err == nil {
			c.cleanups = append(c.cleanups, func() {
				if err := os.RemoveAll(dir); err != nil {
					c.Errorf("TempDir RemoveAll cleanup: %v", err)
				}
			})
		}
	}
	c.temps++
	dir, err := fmt.Sprintf("%s/%03d", c.tempDir, c.temps), c.tempErr
	c.mu.Unlock()
	if err == nil {
		err = os.Mkdir(dir, 0o777)
	}
	if err != nil {
		c.Fatalf("TempDir: %v", err)
	}
	return dir
}

// ArtifactDir is a directory for files that are to stay: below -outputdir with
// -artifacts, else one that is removed at the end.
func (c *common) ArtifactDir() string {
	if c.artDir != "" {
		return c.artDir
	}
	if !opt.artifacts {
		c.artDir = c.TempDir()
		return c.artDir
	}
	top := filepath.Join(outputDir(), "_artifacts", c.fileName())
	if err := os.MkdirAll(top, 0o777); err != nil {
		c.Fatalf("ArtifactDir: %v", err)
	}
	dir, err := os.MkdirTemp(top, "")
	if err != nil {
		c.Fatalf("ArtifactDir: %v", err)
	}
	c.artDir = dir
	if c.talk != nil {
		c.talk.update(c.name, "=== ARTIFACTS "+c.name+" "+dir+"\n")
	}
	return dir
}

// seconds is a time as reports have it.
func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }

// report hands the result and what the test said to the one that it is a part
// of, or prints it.
func (c *common) report() {
	c.flush()
	word := ""
	switch {
	case c.parent == nil || c.bubble:
		return
	case c.Failed():
		word = "FAIL"
	case c.talk == nil:
		return
	case c.Skipped():
		word = "SKIP"
	default:
		word = "PASS"
	}
	c.mu.Lock()
	text := fmt.Sprintf("--- %s: %s (%s)\n%s", word, c.name, seconds(c.spent), c.output)
	c.output = nil
	c.mu.Unlock()
	p := c.parent
	if p.parent == nil || c.talk != nil && opt.v.json {
		if c.talk != nil {
			c.talk.update(c.name, text)
		} else {
			os.Stdout.WriteString(text)
		}
		return
	}
	lines := strings.SplitAfter(text, "\n")
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range lines {
		if line != "" {
			p.output = append(p.output, "    "+line...)
		}
	}
}

// setRan tells a test and those around it that there was one to run.
func (c *common) setRan() {
	for ; c != nil; c = c.parent {
		c.mu.Lock()
		c.ran = true
		c.mu.Unlock()
	}
}
