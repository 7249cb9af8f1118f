// SPDX-License-Identifier: MIT

package testing

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// goal is how long a benchmark should take, or how many iterations.
func goal() benchLength {
	if opt.benchTime.d == 0 && opt.benchTime.n == 0 {
		return benchLength{d: time.Second}
	}
	return opt.benchTime
}

// A B is a benchmark in progress. Its function does the work N times, or as
// long as Loop is true.
type B struct {
	common
	N int

	f           func(*B)
	timing      bool
	looped      int // calls of Loop
	loopN       int
	bytes       int64
	showAllocs  bool
	parallelism int
	extra       map[string]float64
	before, now runtime.MemStats // here, so that no round allocates one
	allocs      uint64
	allocBytes  uint64
	match       *matcher // nil: all parts run
	procs       int      // of this round; 0: the name does not show it
	result      BenchmarkResult
	left        bool // by FailNow, SkipNow or a panic
}

// An InternalBenchmark is a benchmark by name.
type InternalBenchmark struct {
	Name string
	F    func(b *B)
}

func (b *B) StartTimer() {
	if !b.timing {
		runtime.ReadMemStats(&b.before)
		b.begin = time.Now()
		b.timing = true
	}
}

func (b *B) StopTimer() {
	if b.timing {
		b.spent += time.Since(b.begin)
		runtime.ReadMemStats(&b.now)
		b.allocs += b.now.Mallocs - b.before.Mallocs
		b.allocBytes += b.now.TotalAlloc - b.before.TotalAlloc
		b.timing = false
	}
}

func (b *B) ResetTimer() {
	b.extra = map[string]float64{}
	if b.timing {
		runtime.ReadMemStats(&b.before)
		b.begin = time.Now()
	}
	b.spent, b.allocs, b.allocBytes = 0, 0, 0
}

// SetBytes sets how many bytes one iteration handles.
func (b *B) SetBytes(n int64) { b.bytes = n }

// ReportAllocs has the result show allocations.
func (b *B) ReportAllocs() { b.showAllocs = true }

// ReportMetric adds a number to the result.
func (b *B) ReportMetric(n float64, unit string) {
	if unit == "" {
		panic("metric unit must not be empty")
	}
	if strings.IndexByte(unit, ' ') >= 0 {
		panic("metric unit must not contain whitespace")
	}
	b.extra[unit] = n
}

// Elapsed is the time measured so far.
func (b *B) Elapsed() time.Duration {
	d := b.spent
	if b.timing {
		d += time.Since(b.begin)
	}
	return d
}

// Loop reports whether to do the work once more; it measures the time.
func (b *B) Loop() bool {
	if b.looped == 0 {
		b.loopN = 1
		b.ResetTimer()
		b.StartTimer()
	} else if b.looped == b.loopN {
		d, g := b.Elapsed(), goal()
		if g.n > 0 && b.looped >= g.n || g.n == 0 && (d >= g.d || b.looped >= 1e9) {
			b.StopTimer()
			b.N = b.looped
			return false
		}
		b.loopN = next(b.looped, d)
		if g.n > 0 {
			b.loopN = g.n
		}
	}
	b.looped++
	return true
}

// next guesses how many iterations make up the time, after n took d.
func next(n int, d time.Duration) int {
	ns := max(int64(d), 1)
	want := int64(float64(goal().d) * float64(n) / float64(ns))
	want += want / 5
	return int(min(max(min(want, 100*int64(n)), int64(n)+1), 1e9))
}

// once runs f for n iterations in a goroutine of its own.
func (b *B) once(n int) {
	done := make(chan any)
	go func() {
		defer func() {
			err := recover()
			b.StopTimer()
			b.cleanup()
			done <- err
		}()
		b.runN(n)
	}()
	if err := <-done; err != nil {
		panic(err)
	}
}

// runN runs f in this goroutine; stacks have the name that they have in Go.
func (b *B) runN(n int) {
	runtime.GC()
	b.left = true
	b.N = n
	b.looped = 0
	b.parallelism = 1
	b.ResetTimer()
	b.StartTimer()
	b.f(b)
	b.left = false
}

// over tells whether there is nothing more to measure.
func (b *B) over() bool { return b.Failed() || b.left || b.hasSub }

// measure does the benchmark with more and more iterations, after one.
func (b *B) measure() BenchmarkResult {
	g := goal()
	if g.n > 0 {
		if g.n > 1 && b.looped == 0 {
			b.once(g.n)
		}
	} else {
		for !b.over() && b.looped == 0 && b.spent < g.d && b.N < 1e9 {
			b.once(next(b.N, b.spent))
		}
	}
	if b.Failed() || b.left {
		return BenchmarkResult{}
	}
	return BenchmarkResult{b.N, b.spent, b.bytes, b.allocs, b.allocBytes, b.extra}
}

// shown is the name with the number of processors, unless that is 1.
func (b *B) shown() string {
	if b.procs > 1 {
		return fmt.Sprintf("%s-%d", b.name, b.procs)
	}
	return b.name
}

// said prints what a benchmark has logged.
func (b *B) said(word string) {
	b.flush()
	b.mu.Lock()
	text := b.output
	b.output = nil
	b.mu.Unlock()
	if word != "" && (len(text) > 0 || word != "BENCH") {
		fmt.Printf("%s--- %s: %s\n%s", mark(), word, b.shown(), text)
	}
}

// one runs a benchmark that was chosen, prints its result, and reports whether
// it succeeded.
func (b *B) one() bool {
	show := b.match != nil
	b.once(1)
	if !b.over() {
		if show && opt.verbose() {
			if opt.v.json {
				fmt.Printf("%s=== RUN   %s\n", mark(), b.name)
			}
			fmt.Println(b.name)
		}
		if show {
			fmt.Printf("%-*s\t", benchWidth, b.shown())
		}
		b.result = b.measure()
		if show && !b.Failed() && !b.left {
			line := b.result.String()
			if opt.benchMem || b.showAllocs {
				line += "\t" + b.result.MemString()
			}
			fmt.Println(line)
		} else if show {
			fmt.Println()
		}
	}
	switch {
	case !show:
	case b.Failed():
		b.said("FAIL")
	case b.Skipped() && opt.verbose():
		b.said("SKIP")
	default:
		b.said("BENCH")
	}
	if show && opt.v.json {
		fmt.Printf("%s=== NAME  \n", mark())
	}
	return !b.Failed()
}

// Run does f as a part of b: its result is printed.
func (b *B) Run(name string, f func(b *B)) bool {
	b.hasSub = true
	b.StopTimer()
	full, ok := b.name+"/"+rewrite(name), true
	if b.match != nil {
		full, ok, _ = b.match.fullName(&b.common, name)
	}
	if !ok {
		return true
	}
	sub := &B{f: f, match: b.match, procs: b.procs}
	sub.name = full
	sub.parent = &b.common
	sub.level = b.level + 1
	return sub.one()
}

// benchWidth is the length of the longest name of a benchmark that runs.
var benchWidth int

// header is printed before the first result.
func header(path string) {
	fmt.Printf("goos: %s\ngoarch: %s\n", runtime.GOOS, runtime.GOARCH)
	if path != "" {
		fmt.Printf("pkg: %s\n", path)
	}
	info, _ := os.ReadFile("/proc/cpuinfo")
	for _, line := range strings.Split(string(info), "\n") {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			fmt.Printf("cpu: %s\n", strings.TrimSpace(value))
			break
		}
	}
}

// RunBenchmarks runs the benchmarks that -bench chooses.
func RunBenchmarks(matchString func(pat, str string) (bool, error), benchmarks []InternalBenchmark) {
	runBenchmarks(matchString, "", benchmarks)
}

func runBenchmarks(match func(pat, str string) (bool, error), path string, benchmarks []InternalBenchmark) bool {
	if opt.bench == "" {
		return true
	}
	m := newMatcher(match, opt.bench, "-test.bench", opt.skip)
	ok, headed := true, false
	for _, bm := range benchmarks {
		_, hit, _ := m.fullName(nil, bm.Name)
		for _, procs := range opt.cpus() {
			b := &B{procs: procs}
			b.name = bm.Name
			if n := len(b.shown()); hit && n > benchWidth {
				benchWidth = n
			}
		}
	}
	for _, bm := range benchmarks {
		if _, hit, _ := m.fullName(nil, bm.Name); !hit {
			continue
		}
		if !headed {
			header(path)
			headed = true
		}
		for _, procs := range opt.cpus() {
			for i := 0; i < opt.count; i++ {
				runtime.GOMAXPROCS(procs)
				m.clear()
				b := &B{f: bm.F, match: m, procs: procs}
				b.name = bm.Name
				b.level = 1
				ok = b.one() && ok
			}
		}
	}
	return ok
}

// SetParallelism sets how many goroutines for each P RunParallel starts.
func (b *B) SetParallelism(p int) {
	if p >= 1 {
		b.parallelism = p
	}
}

// A PB counts the iterations of goroutines of RunParallel.
type PB struct {
	left *atomic.Int64
}

// Next reports whether to do one more iteration.
func (pb *PB) Next() bool { return pb.left.Add(-1) >= 0 }

// RunParallel shares the iterations among goroutines that call body.
func (b *B) RunParallel(body func(*PB)) {
	if b.N == 0 {
		return
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	for i := 0; i < b.parallelism*runtime.GOMAXPROCS(0); i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			body(&PB{&left})
		}()
	}
	wg.Wait()
	if left.Load() > 0 && !b.Failed() {
		b.Fatal("RunParallel: body exited without pb.Next() == false")
	}
}

// Benchmark measures a function.
func Benchmark(f func(b *B)) BenchmarkResult {
	b := &B{f: f}
	b.once(1)
	if b.over() {
		return BenchmarkResult{}
	}
	return b.measure()
}

// A BenchmarkResult is what was measured.
type BenchmarkResult struct {
	N         int           // iterations
	T         time.Duration // in all
	Bytes     int64         // in one iteration
	MemAllocs uint64        // in all
	MemBytes  uint64        // in all
	Extra     map[string]float64
}

// metric is n per iteration, or what ReportMetric set for the unit.
func (r BenchmarkResult) metric(unit string, n float64) float64 {
	if v, ok := r.Extra[unit]; ok {
		return v
	}
	if r.N <= 0 {
		return 0
	}
	return n / float64(r.N)
}

func (r BenchmarkResult) NsPerOp() int64 { return int64(r.metric("ns/op", float64(r.T))) }
func (r BenchmarkResult) AllocsPerOp() int64 {
	return int64(r.metric("allocs/op", float64(r.MemAllocs)))
}
func (r BenchmarkResult) AllocedBytesPerOp() int64 {
	return int64(r.metric("B/op", float64(r.MemBytes)))
}

// String is the iterations and the time of each, as "go test" prints them.
func (r BenchmarkResult) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%8d", r.N)
	if ns := r.metric("ns/op", float64(r.T)); ns != 0 {
		b.WriteByte('\t')
		number(&b, ns, "ns/op")
	}
	mb, ok := r.Extra["MB/s"]
	if !ok && r.Bytes > 0 && r.T > 0 && r.N > 0 {
		mb = float64(r.Bytes) * float64(r.N) / 1e6 / r.T.Seconds()
	}
	if mb != 0 {
		fmt.Fprintf(&b, "\t%7.2f MB/s", mb)
	}
	var units []string
	for u := range r.Extra {
		switch u {
		case "ns/op", "MB/s", "B/op", "allocs/op":
		default:
			units = append(units, u)
		}
	}
	sort.Strings(units)
	for _, u := range units {
		b.WriteByte('\t')
		number(&b, r.Extra[u], u)
	}
	return b.String()
}

// number writes x with about four digits.
func number(b *strings.Builder, x float64, unit string) {
	prec := 0
	width := 10
	if y := math.Abs(x); y != 0 && y < 999.95 {
		prec, width = 1, 12
		for lim := 99.995; y < lim && prec < 7; lim /= 10 {
			prec++
			width++
		}
	}
	fmt.Fprintf(b, "%*.*f %s", width, prec, x, unit)
}

// MemString is the bytes and allocations of each iteration.
func (r BenchmarkResult) MemString() string {
	return fmt.Sprintf("%8d B/op\t%8d allocs/op", r.AllocedBytesPerOp(), r.AllocsPerOp())
}
