// SPDX-License-Identifier: MIT

// Package testing has what programs use of it outside of "go test": the
// counting of allocations, benchmarks, and tests that are run by RunTests.
package testing

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

// AllocsPerRun calls f once, then runs times, and returns the mean number of
// allocations, rounded down.
func AllocsPerRun(runs int, f func()) (avg float64) {
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

// Init registers the flags of "go test"; there are none here.
func Init() {}

// Short, Verbose and Testing report on flags of "go test", which does not run
// here; CoverMode is empty as nothing is measured.
func Short() bool       { return false }
func Verbose() bool     { return false }
func Testing() bool     { return false }
func CoverMode() string { return "" }
func Coverage() float64 { return 0 }

// TB is what T and B have in common.
type TB interface {
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
	Setenv(key, value string)
	Skip(args ...any)
	SkipNow()
	Skipf(format string, args ...any)
	Skipped() bool
	TempDir() string

	private()
}

// common is the state of a test or benchmark.
type common struct {
	mu       sync.Mutex
	name     string
	parent   *common
	depth    int
	output   []byte
	failed   bool
	skipped  bool
	finished bool
	names    map[string]int // of the parts, how often
	cleanups []func()
	temps    int
	tempDir  string
	ctx      context.Context
	cancel   func()
	begin    time.Time
	spent    time.Duration
}

func (c *common) private() {}

func (c *common) Name() string { return c.name }
func (c *common) Helper()      {}

func (c *common) Fail() {
	for ; c != nil; c = c.parent {
		c.mu.Lock()
		c.failed = true
		c.mu.Unlock()
	}
}

func (c *common) Failed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

func (c *common) FailNow() {
	c.Fail()
	c.finished = true
	runtime.Goexit()
}

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

// log adds a line with the position of the caller of the method.
func (c *common) log(text string) {
	where := "???:1"
	if _, file, line, ok := runtime.Caller(2); ok {
		where = fmt.Sprintf("%s:%d", file[strings.LastIndexByte(file, '/')+1:], line)
	}
	text = strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n        ")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.output = append(c.output, "    "+where+": "+text+"\n"...)
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

// Cleanup has f called at the end, the last one first.
func (c *common) Cleanup(f func()) {
	c.mu.Lock()
	c.cleanups = append(c.cleanups, f)
	c.mu.Unlock()
}

// cleanup calls the functions of Cleanup, those that they add too.
func (c *common) cleanup() {
	if c.cancel != nil {
		c.cancel()
	}
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
	if c.ctx == nil {
		c.ctx, c.cancel = context.WithCancel(context.Background())
	}
	return c.ctx
}

// Setenv sets an environment variable until the end.
func (c *common) Setenv(key, value string) {
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
	old, err := os.Getwd()
	if err == nil {
		err = os.Chdir(dir)
	}
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() {
		if err := os.Chdir(old); err != nil {
			panic("testing.Chdir: " + err.Error())
		}
	})
}

// TempDir makes a directory that is removed at the end.
func (c *common) TempDir() string {
	if c.tempDir == "" {
		clean := strings.Map(func(r rune) rune {
			if r == '/' || r == '*' || r == ' ' {
				return '_'
			}
			return r
		}, c.name)
		dir, err := os.MkdirTemp("", clean)
		if err != nil {
			c.Fatalf("TempDir: %v", err)
		}
		c.tempDir = dir
		c.Cleanup(func() {
			if err := os.RemoveAll(dir); err != nil {
				c.Errorf("TempDir RemoveAll cleanup: %v", err)
			}
		})
	}
	c.temps++
	dir := fmt.Sprintf("%s/%03d", c.tempDir, c.temps)
	if err := os.Mkdir(dir, 0o777); err != nil {
		c.Fatalf("TempDir: %v", err)
	}
	return dir
}

// partName is the name of a part of c: blanks become underscores, and a
// number is added to what was there before.
func (c *common) partName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\n' {
			return '_'
		}
		return r
	}, name)
	if c.name == "" {
		return name
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.names == nil {
		c.names = map[string]int{}
	}
	full := c.name + "/" + name
	k := c.names[full]
	c.names[full] = k + 1
	if k > 0 || name == "" {
		full = fmt.Sprintf("%s#%02d", full, k)
	}
	return full
}
