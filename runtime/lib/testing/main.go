// SPDX-License-Identifier: MIT

package testing

import (
	"flag"
	"fmt"
	"internal/race"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// settings are the flags of "vole test", as the program of a package's tests
// gets them with "test." in front.
type settings struct {
	registered bool
	short      *bool
	v          verbosity
	run, skip  string
	bench      string
	benchTime  benchLength
	benchMem   bool
	count      int
	failFast   bool
	list       string
	timeout    time.Duration
	deadline   time.Time
	cpuList    string
	parallel   int
	shuffle    string
	artifacts  bool
	outputDir  string
	cpuProfile string
	memProfile string
	memRate    int
	blockProf  string
	blockRate  int
	mutexProf  string
	mutexFrac  int
	traceFile  string
	logFile    string
	panicExit0 bool
	fullPath   bool
	fuzz       string
	coverage   string
	coverDir   string
	leaks      bool
}

var (
	opt     settings
	talk    = &talker{}
	inTest  bool                    // MainStart was called
	current atomic.Pointer[running] // for the message when time is over
)

// verbosity is the flag -v: true, false or test2json.
type verbosity struct{ on, json bool }

func (v *verbosity) String() string   { return strconv.FormatBool(v.on) }
func (v *verbosity) Get() any         { return v.on }
func (v *verbosity) IsBoolFlag() bool { return true }
func (v *verbosity) Set(s string) error {
	switch s {
	case "true", "test2json":
		v.on, v.json = true, s == "test2json"
	case "false":
		v.on, v.json = false, false
	default:
		return fmt.Errorf("invalid flag -test.v=%s", s)
	}
	return nil
}

// benchLength is the flag -benchtime: a time, or a number of iterations.
type benchLength struct {
	d time.Duration
	n int
}

func (b *benchLength) String() string {
	if b.n > 0 {
		return strconv.Itoa(b.n) + "x"
	}
	return b.d.String()
}

func (b *benchLength) Set(s string) error {
	if strings.HasSuffix(s, "x") {
		n, err := strconv.Atoi(s[:len(s)-1])
		if err != nil || n < 0 {
			return fmt.Errorf("invalid count")
		}
		*b = benchLength{n: n}
		return nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return fmt.Errorf("invalid duration")
	}
	*b = benchLength{d: d}
	return nil
}

// Init registers the flags. MainStart calls it; a program that is no test and
// wants them does so before flag.Parse.
func Init() {
	if opt.registered {
		return
	}
	opt.registered = true
	opt.short = flag.Bool("test.short", false, "run smaller test suite to save time")
	opt.benchTime.d = time.Second
	flag.Var(&opt.v, "test.v", "verbose: print additional output")
	flag.StringVar(&opt.run, "test.run", "", "run only tests and examples matching `regexp`")
	flag.StringVar(&opt.skip, "test.skip", "", "do not list or run tests matching `regexp`")
	flag.StringVar(&opt.bench, "test.bench", "", "run only benchmarks matching `regexp`")
	flag.Var(&opt.benchTime, "test.benchtime", "run each benchmark for duration `d` or N times if `d` is of the form Nx")
	flag.BoolVar(&opt.benchMem, "test.benchmem", false, "print memory allocations for benchmarks")
	flag.IntVar(&opt.count, "test.count", 1, "run tests and benchmarks `n` times")
	flag.BoolVar(&opt.failFast, "test.failfast", false, "do not start new tests after the first test failure")
	flag.StringVar(&opt.list, "test.list", "", "list tests, examples, and benchmarks matching `regexp` then exit")
	flag.DurationVar(&opt.timeout, "test.timeout", 0, "panic test binary after duration `d` (default 0, timeout disabled)")
	flag.StringVar(&opt.cpuList, "test.cpu", "", "comma-separated `list` of cpu counts to run each test with")
	flag.IntVar(&opt.parallel, "test.parallel", runtime.GOMAXPROCS(0), "run at most `n` tests in parallel")
	flag.StringVar(&opt.shuffle, "test.shuffle", "off", "randomize the execution order of tests and benchmarks")
	flag.BoolVar(&opt.artifacts, "test.artifacts", false, "store test artifacts in test.,outputdir")
	flag.StringVar(&opt.outputDir, "test.outputdir", "", "write profiles to `dir`")
	flag.StringVar(&opt.cpuProfile, "test.cpuprofile", "", "write a cpu profile to `file`")
	flag.StringVar(&opt.memProfile, "test.memprofile", "", "write an allocation profile to `file`")
	flag.IntVar(&opt.memRate, "test.memprofilerate", 0, "set memory allocation profiling `rate` (see runtime.MemProfileRate)")
	flag.StringVar(&opt.blockProf, "test.blockprofile", "", "write a goroutine blocking profile to `file`")
	flag.IntVar(&opt.blockRate, "test.blockprofilerate", 1, "set blocking profile `rate` (see runtime.SetBlockProfileRate)")
	flag.StringVar(&opt.mutexProf, "test.mutexprofile", "", "write a mutex contention profile to the named file after execution")
	flag.IntVar(&opt.mutexFrac, "test.mutexprofilefraction", 1, "if >= 0, calls runtime.SetMutexProfileFraction()")
	flag.StringVar(&opt.traceFile, "test.trace", "", "write an execution trace to `file`")
	flag.StringVar(&opt.logFile, "test.testlogfile", "", "write test action log to `file` (for use only by cmd/go)")
	flag.BoolVar(&opt.panicExit0, "test.paniconexit0", false, "panic on call to os.Exit(0)")
	flag.BoolVar(&opt.fullPath, "test.fullpath", false, "show full file names in error messages")
	flag.StringVar(&opt.fuzz, "test.fuzz", "", "run the fuzz test matching `regexp`")
	flag.StringVar(&opt.coverage, "test.coverprofile", "", "write a coverage profile to `file`")
	flag.BoolVar(&opt.leaks, "test.leaks", false, "fail tests that leave goroutines behind")
	flag.StringVar(&opt.coverDir, "test.gocoverdir", "", "write coverage intermediate files to this directory")
}

func (s *settings) verbose() bool { return s.v.on }

// benchOnly tells whether only benchmarks were asked for.
func (s *settings) benchOnly() bool { return s.run == "^$" }

// cpus is the list of -cpu, or what GOMAXPROCS is.
func (s *settings) cpus() []int {
	var out []int
	for _, f := range strings.Split(s.cpuList, ",") {
		f = strings.TrimSpace(f)
		if f == "" {
			continue
		}
		n, err := strconv.Atoi(f)
		if err != nil || n <= 0 {
			fmt.Fprintf(os.Stderr, "testing: invalid value %q for -test.cpu\n", f)
			os.Exit(1)
		}
		out = append(out, n)
	}
	if out == nil {
		out = []int{startProcs()}
	}
	return out
}

var procs int

// startProcs is GOMAXPROCS as it was at first.
func startProcs() int {
	if procs == 0 {
		procs = runtime.GOMAXPROCS(0)
	}
	return procs
}

func outputDir() string {
	if opt.outputDir != "" {
		return opt.outputDir
	}
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}

// Short tells whether -short is set.
func Short() bool {
	if opt.short == nil {
		panic("testing: Short called before Init")
	}
	if !flag.Parsed() {
		panic("testing: Short called before Parse")
	}
	return *opt.short
}

// Verbose tells whether -v is set.
func Verbose() bool {
	if inTest && !flag.Parsed() {
		panic("testing: Verbose called before Parse")
	}
	return opt.v.on
}

// Testing tells whether the program is that of a package's tests, before main
// has begun as well.
//
//race:none
func Testing() bool

// M is the tests of a package, for a TestMain.
type M struct {
	match      func(pat, str string) (bool, error)
	tests      []InternalTest
	benchmarks []InternalBenchmark
	fuzz       []InternalFuzzTarget
	examples   []InternalExample
	path       string
	ran        bool
	exitCode   int
	timer      *time.Timer
	cpuFile    *os.File
	traceFile  *os.File
}

// MainStart makes the M of a test program; match tells whether a text has a
// match of a regular expression.
func MainStart(match func(pat, str string) (bool, error), path string, tests []InternalTest,
	benchmarks []InternalBenchmark, fuzz []InternalFuzzTarget, examples []InternalExample) *M {
	inTest = true
	Init()
	return &M{match: match, path: path, tests: tests, benchmarks: benchmarks, fuzz: fuzz,
		examples: examples}
}

// Main runs tests, benchmarks and examples, and ends the program.
func Main(matchString func(pat, str string) (bool, error), tests []InternalTest,
	benchmarks []InternalBenchmark, examples []InternalExample) {
	os.Exit(MainStart(matchString, "", tests, benchmarks, nil, examples).Run())
}

// ExitCode is what Run has returned: for the program whose TestMain does not
// exit itself.
func (m *M) ExitCode() int { return m.exitCode }

// Run runs the tests and returns the exit status.
func (m *M) Run() (code int) {
	defer func() {
		code = m.exitCode
	}()
	if m.ran {
		fmt.Fprintln(os.Stderr, "testing: M.Run called twice")
	}
	m.ran = true
	m.exitCode = 2
	if !flag.Parsed() {
		flag.Parse()
	}
	if opt.parallel < 1 {
		fmt.Fprintln(os.Stderr, "testing: -parallel can only be given a positive integer")
		flag.Usage()
		return
	}
	if opt.list != "" {
		m.listTests()
		m.exitCode = 0
		return
	}
	if !m.shuffle() {
		return
	}
	startProcs()
	m.before()
	m.startAlarm()
	match := newMatcher(m.match, opt.run, "-test.run", opt.skip)
	ranT, okT := runTests(match, m.tests)
	ranF, okF := false, true
	if okT || !opt.failFast {
		ranF, okF = runFuzz(match, m.fuzz)
	}
	match.clear()
	ranE, okE := runExamples(match, m.examples)
	m.stopAlarm()
	ok := okT && okF && okE
	if !ranT && !ranF && !ranE && opt.bench == "" && opt.fuzz == "" {
		fmt.Fprintln(os.Stderr, "testing: warning: no tests to run")
	}
	if ok {
		ok = runBenchmarks(m.match, m.path, m.benchmarks)
	}
	if race.Enabled && ok && race.Errors() > 0 {
		fmt.Print(mark() + "testing: race detected outside of test execution\n")
		ok = false
	}
	m.exitCode = 0
	if !ok {
		fmt.Print(mark() + "FAIL\n")
		m.exitCode = 1
	} else {
		fmt.Print(mark() + "PASS\n")
	}
	m.after()
	return
}

// listTests prints the names that -list chooses.
func (m *M) listTests() {
	show := func(name string) {
		hit, err := m.match(opt.list, name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "testing: invalid regexp in -test.list (%q): %s\n", opt.list, err)
			os.Exit(1)
		}
		if hit {
			fmt.Println(name)
		}
	}
	for _, t := range m.tests {
		show(t.Name)
	}
	for _, b := range m.benchmarks {
		show(b.Name)
	}
	for _, f := range m.fuzz {
		show(f.Name)
	}
	for _, e := range m.examples {
		show(e.Name)
	}
}

// shuffle does what -shuffle says.
func (m *M) shuffle() bool {
	if opt.shuffle == "off" {
		return true
	}
	var n int64
	if opt.shuffle == "on" {
		n = time.Now().UnixNano()
	} else {
		var err error
		n, err = strconv.ParseInt(opt.shuffle, 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, `testing: -shuffle should be "off", "on", or a valid integer:`, err)
			return false
		}
	}
	fmt.Println("-test.shuffle", n)
	rng := rand.New(rand.NewSource(n))
	rng.Shuffle(len(m.tests), func(i, j int) { m.tests[i], m.tests[j] = m.tests[j], m.tests[i] })
	rng.Shuffle(len(m.benchmarks), func(i, j int) {
		m.benchmarks[i], m.benchmarks[j] = m.benchmarks[j], m.benchmarks[i]
	})
	return true
}

// startAlarm ends the program when -timeout is over.
func (m *M) startAlarm() {
	if opt.timeout <= 0 {
		return
	}
	opt.deadline = time.Now().Add(opt.timeout)
	m.timer = time.AfterFunc(opt.timeout, func() {
		m.after()
		extra := ""
		if r := current.Load(); r != nil {
			r.mu.Lock()
			var list []string
			for name, since := range r.tests {
				list = append(list, fmt.Sprintf("%s (%v)", name, time.Since(since).Round(time.Second)))
			}
			r.mu.Unlock()
			if len(list) > 0 {
				sort.Strings(list)
				extra = "\n\trunning tests:\n\t\t" + strings.Join(list, "\n\t\t")
			}
		}
		panic(fmt.Sprintf("test timed out after %v%s", opt.timeout, extra))
	})
}

func (m *M) stopAlarm() {
	if m.timer != nil {
		m.timer.Stop()
	}
}

// file is where a profile goes.
func file(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(outputDir(), name)
}

func create(name string) *os.File {
	f, err := os.Create(file(name))
	if err != nil {
		fmt.Fprintf(os.Stderr, "testing: %s\n", err)
		os.Exit(2)
	}
	return f
}

// before begins what is to be recorded.
func (m *M) before() {
	if opt.memRate > 0 {
		runtime.MemProfileRate = opt.memRate
	}
	if opt.cpuProfile != "" {
		m.cpuFile = create(opt.cpuProfile)
		if err := pprof.StartCPUProfile(m.cpuFile); err != nil {
			fmt.Fprintf(os.Stderr, "testing: can't start cpu profile: %s\n", err)
		}
	}
	if opt.traceFile != "" {
		m.traceFile = create(opt.traceFile)
		if err := trace.Start(m.traceFile); err != nil {
			fmt.Fprintf(os.Stderr, "testing: can't start tracing: %s\n", err)
		}
	}
	if opt.blockProf != "" && opt.blockRate >= 0 {
		runtime.SetBlockProfileRate(opt.blockRate)
	}
	if opt.mutexProf != "" && opt.mutexFrac >= 0 {
		runtime.SetMutexProfileFraction(opt.mutexFrac)
	}
}

// after writes what was recorded.
func (m *M) after() {
	if m.cpuFile != nil {
		pprof.StopCPUProfile()
		m.cpuFile.Close()
		m.cpuFile = nil
	}
	if m.traceFile != nil {
		trace.Stop()
		m.traceFile.Close()
		m.traceFile = nil
	}
	if opt.memProfile != "" {
		runtime.GC()
		m.profile("allocs", opt.memProfile)
	}
	if opt.blockProf != "" && opt.blockRate >= 0 {
		m.profile("block", opt.blockProf)
	}
	if opt.mutexProf != "" && opt.mutexFrac >= 0 {
		m.profile("mutex", opt.mutexProf)
	}
	if cover.Mode != "" {
		cover.report()
	}
}

func (m *M) profile(name, to string) {
	f := create(to)
	if err := pprof.Lookup(name).WriteTo(f, 0); err != nil {
		fmt.Fprintf(os.Stderr, "testing: can't write %s: %s\n", to, err)
		os.Exit(2)
	}
	f.Close()
}
